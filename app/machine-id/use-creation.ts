import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { createStore } from "../ui/store.ts";
import { showToast } from "../ui/toast/toast.ts";
import type { Creation, CreationKind } from "./creation.ts";
import { NOT_NOW } from "./not-now.ts";
import { userQuery } from "../member/reads.ts";

/** How long to show that something was queued, however fast the network is, in milliseconds. */
const SHOWN_MS = 2000;

const IDLE: Creation = { state: "idle" };
/**
 * One for the whole tab: a member who closes the dialog and opens it again, or goes to the profile, finds what is under
 * way.
 */
const creation = createStore<Creation>(IDLE);
/** How many dialogs and cards show it. */
let shown = 0;

/**
 * Returns what is being created from this tab, one thing at a time, and a function that begins it. The wallet's code
 * loads with the first use.
 * @param onDone Called when the message that something was queued has been shown for a while.
 */
export function useCreation(member: string, onDone?: () => void) {
  const read = useRead();
  const client = useQueryClient();
  const { data: user } = useQuery(userQuery(read));
  const current = useSyncExternalStore(creation.subscribe, creation.get, () => IDLE);
  useEnd(current, onDone);
  useEffect(show, []);

  async function create(kind: CreationKind) {
    if (creation.get().state === "creating") return;
    creation.set({ state: "creating", waitsForWallet: false });
    try {
      const { createMachineId, createSmartAccount } = await import("./creation.ts");
      const report = { setCreation: creation.set, isShown: () => shown > 0 };
      const tools = { member, linked: user?.wallet ?? null, read, client, ...report };
      await (kind === "smart-account" ? createSmartAccount(tools) : createMachineId(tools));
    } catch {
      // The code itself could not be loaded: there is no connection, or a new version has replaced it.
      showToast(NOT_NOW, { tone: "error" });
      creation.set({ state: "error", text: NOT_NOW, isToasted: true });
    }
    if (creation.get().state === "success")
      setTimeout(() => creation.get().state === "success" && creation.set(IDLE), SHOWN_MS);
  }
  return { creation: current, create: (kind: CreationKind) => void create(kind) };
}

function useEnd(current: Creation, onEnd: (() => void) | undefined) {
  const before = useRef(current);
  useEffect(() => {
    if (before.current.state === "success" && current.state === "idle") onEnd?.();
    before.current = current;
  }, [current, onEnd]);
}

/**
 * Also shows a refusal by the network where the creation began: toasts lie under the dialog, neither seen nor heard.
 */
export function noteRefusal(text: string): void {
  if (creation.get().state !== "creating") creation.set({ state: "error", text, isToasted: true });
}

/** Counts one more place that shows it. Returns a function that ends this, and forgets a failure that was read there. */
function show() {
  shown += 1;
  return () => {
    shown -= 1;
    if (creation.get().state === "error") creation.set(IDLE);
  };
}
