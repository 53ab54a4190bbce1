import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { userQuery } from "../api/queries.ts";
import { useRead } from "../api/query-provider.tsx";
import { showToast } from "../ui/toast.ts";
import type { Creation } from "./creation.ts";
import type { CreationKind } from "./status-panel.tsx";

/** What is being created from here, and what begins it. The wallet's code is loaded with the first use. */
export function useCreation(member: string) {
  const read = useRead();
  const client = useQueryClient();
  const { data: user } = useQuery(userQuery(read));
  const [creation, tell] = useState<Creation>({ state: "idle" });

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
  return { creation, create: (kind: CreationKind) => void create(kind), forget: () => tell({ state: "idle" }) };
}
