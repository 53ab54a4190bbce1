import { expect, test } from "vitest";
import { nameSharedChunk } from "./code-splitting.ts";

const ROOT = "/app/root.tsx";
const ENTRY = "/app/entry.client.tsx";
const FRAME = "/app/frame/shell.route.tsx";
const HOME = "/app/dashboard/dashboard.route.tsx";
const MEMBERS = ["/app/profile/profile.route.tsx", "/app/rewards/rewards.route.tsx"];
const MORE_MEMBERS = [
  "/app/faqs/faqs.route.tsx",
  "/app/status/status.route.tsx",
  "/app/referrals/referrals.route.tsx?route-chunk=main",
];
const VISITORS = ["sign-in", "sign-up", "verify", "reset"].map((page) => `/app/auth/${page}/${page}.route.tsx`);

/** Returns the file of a module that these import through another one. */
function nameFor(...users: string[]) {
  const importers: Record<string, string[]> = { "/app/ui/a.ts": ["/app/ui/b.ts"], "/app/ui/b.ts": users };
  return nameSharedChunk("/app/ui/a.ts", { getModuleInfo: (id) => ({ importers: importers[id] ?? [] }) });
}

test("what every document needs goes into one file, whoever else needs it", () => {
  expect(nameFor(ROOT)).toBe("common");
  expect(nameFor(ENTRY)).toBe("common");
  expect(nameFor(ROOT, FRAME, ...VISITORS)).toBe("common");
});

test("what starts the page stays apart: no file brings it along before all of the page is there", () => {
  expect(nameSharedChunk(ENTRY, { getModuleInfo: () => ({ importers: [ROOT] }) })).toBeNull();
});

test("what the frame or many pages of members need goes into theirs, and no visitor loads it", () => {
  expect(nameFor(FRAME)).toBe("member");
  expect(nameFor(...MEMBERS, ...MORE_MEMBERS)).toBe("member");
  expect(nameFor(...VISITORS)).toBe("visitor");
  expect(nameFor(FRAME, VISITORS[0] ?? "")).toBe("common");
  // Those who log out are still members.
  expect(nameFor(FRAME, "/app/auth/log-out.route.tsx")).toBe("member");
});

test("what stands around every page of visitors goes into their file, and what others need too into everybody's", () => {
  const frame = "/app/auth/auth-frame.route.tsx";
  expect(nameFor(frame)).toBe("visitor");
  expect(nameSharedChunk(frame, { getModuleInfo: () => ({ importers: [] }) })).toBe("visitor");
  expect(nameFor(frame, MEMBERS[0] ?? "")).toBe("common");
});

test("what the first page of members shares with another is loaded with it", () => {
  expect(nameFor(HOME)).toBeNull();
  expect(nameFor(HOME, MEMBERS[0] ?? "")).toBe("member");
  expect(nameFor(HOME, VISITORS[0] ?? "")).toBe("common");
});

test("what few pages share stays with them", () => {
  expect(nameFor(...MEMBERS)).toBeNull();
  expect(nameFor(...VISITORS.slice(0, 2))).toBeNull();
  expect(nameFor(...MEMBERS, ...VISITORS.slice(0, 2))).toBeNull();
});

test("modules that import each other end the search", () => {
  expect(
    nameSharedChunk("/a.ts", { getModuleInfo: (id) => ({ importers: [id === "/a.ts" ? "/b.ts" : "/a.ts"] }) }),
  ).toBe(null);
});
