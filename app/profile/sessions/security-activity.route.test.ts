import { afterAll, expect, test } from "vitest";
import { recordEvent } from "../../../server/security-activity/service.ts";
import { createTestApi, NO_CLIENT } from "../../../tests/support/api.ts";
import { createTestDatabase } from "../../../tests/support/test-database.ts";
import { describePages, readPage } from "../../../tests/support/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ visitMember }) => {
  test("pages through what happened to the account, and goes no further than its end", async () => {
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

  test("tells who has changed the address to sign in with", async () => {
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
