import { useEffect, useRef } from "react";
import type { MachineIdStatus, SmartAccountStatus } from "../../server/machine-id/contract.ts";
import { readServerTime } from "../ui/clock.ts";
import { showToast, type Toast } from "../ui/toast/toast.ts";
import { SEEN, type Seen } from "./seen.ts";
import { noteRefusal } from "./use-creation.ts";
import { useMachineId } from "./use-machine-id.ts";

/** How long a Smart Account counts as new, in milliseconds (product specification, section 9). */
const NEW_FOR_MS = 5 * 60 * 1000;

export type Statuses = { account: SmartAccountStatus; machineId: MachineIdStatus };
type StatusToast = Pick<Toast, "text" | "tone">;

/**
 * Returns what to say about the change from what was seen last to what is known now (product specification, section 4).
 */
export function findToasts(seen: Seen, { account, machineId }: Statuses, now: number): StatusToast[] {
  return [...findAccountToasts(seen, { account, machineId }, now), ...findMachineIdToasts(seen, machineId)];
}

function findAccountToasts(seen: Seen, { account, machineId }: Statuses, now: number): StatusToast[] {
  if (seen.account === undefined || seen.account === account.status) return [];
  if (account.status === "failed" && seen.account === "pending")
    return [{ text: "Failed to create Smart Account", tone: "error" }];
  // A fast network may be done between two looks, so that nobody has seen it pending.
  const isNew = account.createdAt !== null && now - new Date(account.createdAt).getTime() < NEW_FOR_MS;
  if (account.status !== "completed" || !isNew || machineId.status !== null) return [];
  return [{ text: "Smart Account created! You can now create a Machine ID.", tone: "success" }];
}

function findMachineIdToasts(seen: Seen, { status }: MachineIdStatus): StatusToast[] {
  if (seen.machineId === undefined || seen.machineId === status) return [];
  if (status === "waiting_for_signature")
    return [{ text: "Please sign the transaction to create your Machine ID", tone: "plain" }];
  if (status === "completed") return [{ text: "Machine ID has been created successfully!", tone: "success" }];
  // What the network has refused looks as if it had never been requested.
  const isRefused = seen.machineId === "pending" && status === null;
  return isRefused ? [{ text: "Failed to create Machine ID", tone: "error" }] : [];
}

/**
 * Says what has changed since this tab last looked, even before a reload, and that a status cannot be read.
 * @param before What the page began with.
 */
export function useStatusToasts(member: string, before: Seen) {
  const { account, machineId } = useMachineId();
  const last = useRef<Seen>(undefined);
  useEffect(() => {
    if (!account.data || !machineId.data) return;
    const known = { account: account.data, machineId: machineId.data };
    const seen = last.current ?? recallSeen(member) ?? before;
    for (const { text, tone } of findToasts(seen, known, readServerTime())) {
      showToast(text, { tone, id: text });
      if (tone === "error") noteRefusal(text);
    }
    last.current = { account: known.account.status, machineId: known.machineId.status };
    rememberSeen(member, last.current);
  }, [member, before, account.data, machineId.data]);

  useErrorToast(account, "Failed to check smart account status");
  useErrorToast(machineId, "Failed to check machine ID status");
}

/** Reports a failure only once until the status can be read again, because it is polled. */
function useErrorToast({ isError, isSuccess }: { isError: boolean; isSuccess: boolean }, text: string) {
  const isSaid = useRef(false);
  useEffect(() => {
    if (isError && !isSaid.current) showToast(text, { tone: "error", id: text });
    if (isError || isSuccess) isSaid.current = isError;
  }, [isError, isSuccess, text]);
}

/** Returns what a member saw before a reload while something was under way. Otherwise null. */
function recallSeen(member: string): Seen | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(SEEN) ?? "null");
    return isStored(stored) && stored.member === member ? stored : null;
  } catch {
    return null;
  }
}

const isStored = (value: unknown): value is Seen & { member: string } =>
  typeof value === "object" && value !== null && "member" in value && "account" in value && "machineId" in value;

/** Remembers what is seen while something is under way. */
function rememberSeen(member: string, seen: Seen): void {
  const isUnderWay = seen.account === "pending" || (seen.machineId && seen.machineId !== "completed");
  try {
    if (isUnderWay) sessionStorage.setItem(SEEN, JSON.stringify({ member, ...seen }));
    else sessionStorage.removeItem(SEEN);
  } catch {
    // Storage is full or forbidden. A reload then forgets, which does no other harm.
  }
}
