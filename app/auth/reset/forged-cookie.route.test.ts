import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { sendCheckedForm } from "../../../tests/support/pages/checked-form.ts";
import { createVisitor, describePages, readPage } from "../../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

describePages(database, api, ({ pages }) => {
  test("a cookie with a time that is no date counts as none", async () => {
    const visitor = createVisitor(pages);
    await sendCheckedForm(visitor, clock, "/auth/forgot-password", { email: "ada@nodebeat.test" });
    const cookie = visitor.cookies.get("nodebeat_reset") ?? "";
    const waiting: object = JSON.parse(Buffer.from(decodeURIComponent(cookie), "base64").toString());
    expect(waiting).toHaveProperty("timestamp", expect.any(Number));
    for (const change of [{ timestamp: 1e17 }, { duration: 1e17 }, { timestamp: -1e17 }]) {
      const changed = Buffer.from(JSON.stringify({ ...waiting, ...change })).toString("base64");
      visitor.cookies.set("nodebeat_reset", encodeURIComponent(changed));
      const { status, text } = await readPage(visitor, "/auth/forgot-password");
      expect([status, text]).toEqual([200, expect.not.stringContaining("is on its way")]);
    }
  });
});
