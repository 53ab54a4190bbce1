import { afterAll, expect, test } from "vitest";
import { readSecurityActivity, type SecurityEvent } from "../../../server/security-activity/contract.ts";
import { recordEvent } from "../../../server/security-activity/service.ts";
import { createTestApi, NO_CLIENT } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

/** The events that members have to tell apart, and their words. */
const WORDS: [kind: SecurityEvent["kind"], words: string][] = [
  ["signed-in", "Signed in"],
  ["signed-in-on-new-device", "Signed in on a new device"],
  ["signed-out", "Signed out"],
  ["session-revoked", "Signed out another device"],
  ["other-sessions-revoked", "Signed out everywhere else"],
  ["password-changed", "Password changed"],
  ["password-reset-requested", "Password reset requested"],
  ["password-reset", "Password reset"],
  ["device-key-made", "Machine key created"],
  ["device-key-revoked", "Machine key revoked"],
  ["deletion-requested", "Account deletion requested"],
  ["deletion-cancelled", "Account deletion cancelled"],
  ["wallet-linked", "Wallet linked"],
  ["wallet-changed", "Linked wallet changed"],
];

describePages(database, api, ({ pages, visitMember }) => {
  test("pages through the account's activity, and redirects a page beyond the end to the last one", async () => {
    const { visitor, user } = await visitMember();
    const empty = await readPage(visitor, "/profile");
    expect(empty.text).toContain("No activity yet");
    for (let count = 0; count < 11; count += 1) {
      await recordEvent(api.deps, { userId: user.id, kind: "sign-in-failed", client: NO_CLIENT });
    }
    const first = await readPage(visitor, "/profile");
    expect(first.text).toContain("Failed sign-in");
    expect(first.text).toContain("1–10 of 11");
    expect(first.html).toContain('href="/profile?activity=2#security-activity"');
    expect((await readPage(visitor, "/profile?activity=2")).text).toContain("11–11 of 11");

    const beyond = await visitor.get("/profile?activity=9");
    expect([beyond.status, beyond.headers.get("Location")]).toEqual([302, "/profile?activity=2#security-activity"]);
    expect((await readPage(visitor, "/profile?activity=nonsense")).text).toContain("1–10 of 11");
  });

  test("names the action, its device, its network and its time", async () => {
    const { visitor } = await visitMember();
    const [device, occurredAt] = ["Firefox on Windows", "2026-11-20T12:00:00.000Z"];
    const events = WORDS.map(([kind], index) => {
      const network = index === 0 ? "203.0.113.0/24" : null;
      return { id: kind, kind, device, network, occurredAt };
    });
    const pagination = { page: 1, limit: 10, total: events.length, totalPages: 2 };
    pages.override(readSecurityActivity, () => Response.json({ events, pagination }));
    const rows = WORDS.map(([, words]) => `${words} ${device} Unknown network 20 Nov 2026, 12:00 UTC`);
    const { text } = await readPage(visitor, "/profile");
    expect(text).toContain(rows.join(" ").replace("Unknown network", "203.0.113.0/24"));
  });

  test("says who changed the sign-in email", async () => {
    const { visitor, user } = await visitMember();
    for (const kind of ["address-changed", "email-changed-elsewhere", "email-changed"] as const) {
      await recordEvent(api.deps, { userId: user.id, kind, client: NO_CLIENT });
    }
    const { html } = await readPage(visitor, "/profile");
    expect(html.match(/(?<=>)Email changed[^<]*/g)).toEqual([
      "Email changed",
      "Email changed at our sign-in provider",
      "Email changed by an administrator",
    ]);
  });
});
