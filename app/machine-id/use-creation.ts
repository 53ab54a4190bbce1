import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useRead } from "../cache/query-provider.tsx";
import { showToast } from "../ui/toast/toast.ts";
import type { Creation, CreationKind } from "./creation.ts";
import { userQuery } from "../member/reads.ts";

/** Milliseconds for which what was queued is shown as that, however fast the network is. */
const SHOWN_MS = 2000;

/**
 * What is being created from here, and what begins it. The wallet's code is loaded with the first use.
 * @param onDone Called when what was queued has been shown for a while.
 */
export function useCreation(member: string, onDone?: () => void) {
  const read = useRead();
  const client = useQueryClient();
  const { data: user } = useQuery(userQuery(read));
  const [creation, tell] = useState<Creation>({ state: "idle" });
  useEnd(creation, () => {
    tell({ state: "idle" });
    onDone?.();
  });

  async function create(kind: CreationKind) {
    try {
      const { createMachineId, createSmartAccount } = await import("./creation.ts");
      const tools = { member, linked: user?.wallet ?? null, read, client, tell };
      await (kind === "smart-account" ? createSmartAccount(tools) : createMachineId(tools));
    } catch {
      // The code itself did not arrive: there is no connection, or a new version took its place.
      showToast("Unable to create Machine ID at the moment. Please try again later", { tone: "error" });
      tell({ state: "idle" });
    }
  }
  return { creation, create: (kind: CreationKind) => void create(kind) };
}

function useEnd({ state }: Creation, onEnd: () => void) {
  const latest = useRef(onEnd);
  useEffect(() => {
    latest.current = onEnd;
  });
  useEffect(() => {
    if (state !== "success") return undefined;
    const timer = setTimeout(() => latest.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
}
