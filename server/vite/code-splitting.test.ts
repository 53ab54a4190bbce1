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

test("puts modules that every document needs into one file, even if other pages need them, too", () => {
  expect(nameFor(ROOT)).toBe("common");
  expect(nameFor(ENTRY)).toBe("common");
  expect(nameFor(ROOT, FRAME, ...VISITORS)).toBe("common");
});

test("keeps the client entry out of the shared files, so that none runs it before the page is complete", () => {
  expect(nameSharedChunk(ENTRY, { getModuleInfo: () => ({ importers: [ROOT] }) })).toBeNull();
});

test("splits shared modules into files for members, for visitors and for both, by the pages that need them", () => {
  expect(nameFor(FRAME)).toBe("member");
  expect(nameFor(...MEMBERS, ...MORE_MEMBERS)).toBe("member");
  expect(nameFor(...VISITORS)).toBe("visitor");
  expect(nameFor(FRAME, VISITORS[0] ?? "")).toBe("common");
  // Those who log out are still members.
  expect(nameFor(FRAME, "/app/auth/log-out.route.tsx")).toBe("member");
});

test("puts the visitors' frame into the visitors' file, or into the common one if a member's page needs it, too", () => {
  const frame = "/app/auth/auth-frame.route.tsx";
  expect(nameFor(frame)).toBe("visitor");
  expect(nameSharedChunk(frame, { getModuleInfo: () => ({ importers: [] }) })).toBe("visitor");
  expect(nameFor(frame, MEMBERS[0] ?? "")).toBe("common");
});

test("puts what the dashboard shares with another page of members into the members' file", () => {
  expect(nameFor(HOME)).toBeNull();
  expect(nameFor(HOME, MEMBERS[0] ?? "")).toBe("member");
  expect(nameFor(HOME, VISITORS[0] ?? "")).toBe("common");
});

test("leaves modules that only a few pages share out of the shared files", () => {
  expect(nameFor(...MEMBERS)).toBeNull();
  expect(nameFor(...VISITORS.slice(0, 2))).toBeNull();
  expect(nameFor(...MEMBERS, ...VISITORS.slice(0, 2))).toBeNull();
});

test("ends the search at modules that import each other", () => {
  expect(
    nameSharedChunk("/a.ts", { getModuleInfo: (id) => ({ importers: [id === "/a.ts" ? "/b.ts" : "/a.ts"] }) }),
  ).toBe(null);
});
