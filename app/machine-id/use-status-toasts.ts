import { useEffect } from "react";
import type { MachineIdStatus, SmartAccountStatus } from "../../server/machine-id/contract.ts";
import { showToast } from "../ui/toast.ts";
import { useMachineId } from "./use-machine-id.ts";

/** Milliseconds for which a Smart Account is new (product specification, section 9). */
const NEW_FOR_MS = 5 * 60 * 1000;

export type Seen = { account: SmartAccountStatus["status"]; machineId: MachineIdStatus["status"] };
export type Known = { account: SmartAccountStatus; machineId: MachineIdStatus };
export type StatusToast = { text: string; tone: "plain" | "success" };

/** What is said when what was seen last has become what is known now (product specification, section 4). */
export function findToasts(seen: Seen, { account, machineId }: Known, now: number): StatusToast[] {
  const toasts: StatusToast[] = [];
  const isNew = account.createdAt !== null && now - Date.parse(account.createdAt) < NEW_FOR_MS;
  if (seen.account === "pending" && account.status === "completed" && isNew && machineId.status === null)
    toasts.push({ text: "Smart Account created! You can now create a Machine ID.", tone: "success" });
  if (seen.machineId === machineId.status) return toasts;
  if (machineId.status === "waiting_for_signature")
    toasts.push({ text: "Please sign the transaction to create your Machine ID", tone: "plain" });
  if (seen.machineId === "pending" && machineId.status === "completed")
    toasts.push({ text: "Machine ID has been created successfully!", tone: "success" });
  return toasts;
}

/** Says what has changed since this tab last looked, also before a reload, and that a status cannot be had. */
export function useStatusToasts(member: string) {
  const { account, machineId } = useMachineId();
  useEffect(() => {
    if (!account.data || !machineId.data) return;
    const known = { account: account.data, machineId: machineId.data };
    const seen = recall(member);
    if (seen) for (const { text, tone } of findToasts(seen, known, Date.now())) showToast(text, { tone, id: text });
    remember(member, { account: known.account.status, machineId: known.machineId.status });
  }, [member, account.data, machineId.data]);

  useErrorToast(account.isError, "Failed to check smart account status");
  useErrorToast(machineId.isError, "Failed to check machine ID status");
}

function useErrorToast(failed: boolean, text: string) {
  useEffect(() => {
    if (failed) showToast(text, { tone: "error", id: text });
  }, [failed, text]);
}

const KEY = "machine-id-seen";

function recall(member: string): Seen | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return isKept(kept) && kept.member === member ? kept : null;
  } catch {
    return null;
  }
}

function isKept(value: unknown): value is Seen & { member: string } {
  return typeof value === "object" && value !== null && "member" in value && "account" in value && "machineId" in value;
}

function remember(member: string, seen: Seen) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ member, ...seen }));
  } catch {
    // Storage that is full or forbidden: then a reload forgets, and nothing else.
  }
}
