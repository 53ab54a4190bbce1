import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { MachineIdState, SmartAccountState } from "../../server/machine-id/contract.ts";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { QueryProvider } from "../cache/query-provider.tsx";
import { HeaderAction } from "./header-action.tsx";

const ADDRESS = "0x4c1E8842c5d5b3bE0d2a4f5b7f1f7cbb7cA507d2";

type Reads = [string[] | [string, object], unknown][];

/** Returns what the member has of what a Smart Account needs. */
const progress = (wallet: string | null, heartbeats: number): Reads => [
  [["user", {}], { wallet }],
  [["stats", {}], { heartbeats }],
];

const IDENTITY = { success: true, message: "", data: { public_address: ADDRESS } };

function render(
  status: SmartAccountState | null,
  machineId: MachineIdState | null,
  more: Reads = [],
  identity: object | null = IDENTITY,
) {
  const account = { success: true, smartAccount: null, message: "", status, createdAt: null };
  const reads: Reads = [
    ...more,
    ...(status ? [[["smart-account", {}], account] as [[string, object], unknown]] : []),
    [["machine-id-status", {}], { status: machineId }],
    ...(identity ? [[["machine-identity", {}], identity] as [[string, object], unknown]] : []),
  ];
  return renderToStaticMarkup(
    <QueryProvider member="0192-user" onSignedOut={() => {}} isOver={() => false} onResponse={() => {}}>
      <HydrateReads carried={{ at: 1, reads }}>
        <HeaderAction member="0192-user" />
      </HydrateReads>
    </QueryProvider>,
  );
}

// specification: 2.39, 4.30, 4.32, 4.34, 4.35
test.each([
  ["not_found", null, "Create Smart Account"],
  ["failed", null, "Create Smart Account"],
  ["completed", null, "Create Machine ID"],
  ["completed", "waiting_for_signature", "Machine ID Creation in Progress"],
  ["completed", "pending", "Machine ID Creation in Progress"],
] as const)("%s and %s: the header has the link %s, which works without JavaScript", (account, machineId, label) => {
  const html = render(account, machineId);
  expect(html).toMatch(new RegExp(`^<a href="/profile#identity"[^>]*>${label}</a>$`));
});

test.each([
  ["no-account", null, progress(null, 99), false],
  ["no-account", null, progress(null, 100), false],
  ["no-account", null, progress(ADDRESS, 99), false],
  ["no-account", null, progress(ADDRESS, 100), true],
  ["completed", null, progress(ADDRESS, 100), true],
  ["completed", "waiting_for_signature", progress(ADDRESS, 100), true],
  ["completed", "pending", progress(ADDRESS, 100), false],
] as const)(
  "the next step is the page's main action only if it can be taken: %s, %s, %j: %s",
  (account, machineId, reads, isMain) => {
    const html = render(account === "no-account" ? "not_found" : account, machineId, [...reads]);
    expect(html.includes("button-pulse")).toBe(isMain);
  },
);

// specification: 4.30, 4.33
test("a queued Smart Account shows a disabled button", () => {
  expect(render("pending", null)).toMatch(/^<button[^>]* disabled=""[^>]*>Smart Account Creation Queued<\/button>$/);
});

// specification: 4.30, 4.36
test("a completed Machine ID is shortened and has a copy button", () => {
  const html = render("completed", "completed");
  expect(html).toContain(">0x4c1E…07d2<");
  expect(html).toContain('aria-label="Copy Machine ID"');
});

test("excludes the Machine ID from translation by the browser", () => {
  expect(render("completed", "completed")).toMatch(/<a [^>]*translate="no"[^>]*><span class="label">ID</);
});

const findCopy = (identity: object | null) =>
  /<button[^>]* aria-label="Copy Machine ID"[^>]*>/.exec(render("completed", "completed", [], identity))?.[0];

test("hides the copy button without JavaScript if there is no Machine ID", () => {
  for (const identity of [{ ...IDENTITY, data: null }, null]) expect(findCopy(identity)).toContain("noscript:hidden");
});

test("disables the copy button while the Machine ID is being read", () => {
  expect(findCopy({ ...IDENTITY, data: null })).not.toContain('disabled=""');
  expect(findCopy(null)).toContain('disabled=""');
});

// specification: 4.37
test("renders no button while the status is unknown", () => {
  expect(render(null, null)).toBe("");
});
