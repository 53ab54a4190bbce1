import { expect, test } from "vitest";
import type { MachineIdState, SmartAccountState } from "../../server/machine-id/contract.ts";
import { findToasts } from "./use-status-toasts.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z");

function known(status: SmartAccountState, machineId: MachineIdState | null, createdAt = "2026-11-21T09:55:00.001Z") {
  const account = { success: true, smartAccount: null, message: "", status, createdAt };
  return { account, machineId: { status: machineId } };
}

const textsOf = (toasts: { text: string }[]) => toasts.map(({ text }) => text);

// specification: 4.42, 4.43, 9.6
test("a Smart Account created within five minutes raises a toast that suggests a Machine ID", () => {
  const seen = { account: "pending", machineId: null } as const;
  const created = "Smart Account created! You can now create a Machine ID.";
  const inMilliseconds = (NOW - 1000) as unknown as string;
  for (const createdAt of [undefined, inMilliseconds])
    expect(textsOf(findToasts(seen, known("completed", null, createdAt), NOW))).toEqual([created]);
  expect(findToasts(seen, known("completed", null, "2026-11-21T09:55:00.000Z"), NOW), "after 5 minutes").toEqual([]);
  expect(findToasts({ account: "completed", machineId: null }, known("completed", null), NOW), "unchanged").toEqual([]);
  expect(
    textsOf(findToasts(seen, known("completed", "waiting_for_signature"), NOW)),
    "with a Machine ID begun",
  ).toEqual(["Please sign the transaction to create your Machine ID"]);
});

// specification: 4.42, 4.43
test("a Smart Account created before it was seen as pending raises the same toast", () => {
  for (const account of ["not_found", "failed"] as const) {
    expect(textsOf(findToasts({ account, machineId: null }, known("completed", null), NOW))).toEqual([
      "Smart Account created! You can now create a Machine ID.",
    ]);
  }
  const seen = { account: "not_found", machineId: null } as const;
  expect(findToasts(seen, known("completed", null, "2026-11-21T09:55:00.000Z"), NOW), "after 5 minutes").toEqual([]);
  expect(findToasts(seen, known("failed", null), NOW), "what has failed, unseen").toEqual([]);
});

// specification: 8.31
test("a Smart Account that the network rejected raises a toast", () => {
  const seen = { account: "pending", machineId: null } as const;
  expect(textsOf(findToasts(seen, known("failed", null), NOW))).toEqual(["Failed to create Smart Account"]);
});

test("raises no toast if the previous status is unknown", () => {
  const seen = { account: undefined, machineId: undefined };
  expect(findToasts(seen, known("completed", "waiting_for_signature"), NOW)).toEqual([]);
  expect(findToasts(seen, known("completed", "completed"), NOW)).toEqual([]);
  expect(findToasts(seen, known("completed", null), NOW)).toEqual([]);
});

const toasts = (from: MachineIdState | null, to: MachineIdState | null) =>
  textsOf(findToasts({ account: "completed", machineId: from }, known("completed", to), NOW));

// specification: 4.40, 4.41, 8.33
test("raises a toast when a Machine ID needs a signature, is created or fails", () => {
  expect(toasts(null, "waiting_for_signature")).toEqual(["Please sign the transaction to create your Machine ID"]);
  expect(toasts("pending", "waiting_for_signature")).toEqual(["Please sign the transaction to create your Machine ID"]);
  expect(toasts("waiting_for_signature", "waiting_for_signature")).toEqual([]);
  expect(toasts("waiting_for_signature", "pending")).toEqual([]);
  expect(toasts("pending", "completed")).toEqual(["Machine ID has been created successfully!"]);
  expect(toasts("waiting_for_signature", "completed")).toEqual(["Machine ID has been created successfully!"]);
  expect(toasts(null, "completed")).toEqual(["Machine ID has been created successfully!"]);
  expect(toasts("completed", "completed")).toEqual([]);
  expect(toasts("waiting_for_signature", null)).toEqual([]);
  expect(toasts("pending", null)).toEqual(["Failed to create Machine ID"]);
});
