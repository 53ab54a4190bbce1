import { afterAll, expect, test } from "vitest";
import { DOCUMENTS } from "../../server/legal/documents.ts";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, findField, readPage } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
let clock = createTestClock();
const api = createTestApi(database, { now: () => clock.now() });
afterAll(() => database.close());

describePages(database, api, ({ visitMember }) => {
  test("a page opened before a newer version came into force does not accept the newer version", async () => {
    clock = createTestClock(new Date(new Date(DOCUMENTS.tos[1]?.effectiveFrom ?? "").getTime() - 1));
    const { visitor } = await visitMember({ whitelisted: true, accepted: [] });
    const first = await readPage(visitor, "/faqs");
    expect(findField(first.html, "version")).toMatchObject({ value: "1" });
    expect(first.text).toContain("Please read our Terms of Service and accept them");
    expect(first.text).not.toContain("We have updated");

    clock.advance(1);
    const answer = await visitor.post("/legal/terms", { accept: "on", version: "1", returnTo: "/faqs" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/faqs"]);
    const { html, text } = await readPage(visitor, "/faqs");
    expect(text).toContain("Updated Terms of Service");
    expect(text).toContain("Failed to update TOS acceptance. Please try again.");
    expect(text).toContain("We have updated our Terms of Service.");
    expect(findField(html, "version")).toMatchObject({ value: "2" });

    await visitor.post("/legal/terms", { accept: "on", version: "2", returnTo: "/faqs" });
    expect((await readPage(visitor, "/faqs")).text).toContain("Terms of Service accepted successfully");
  });
});
