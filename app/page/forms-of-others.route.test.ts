import { afterAll, expect, test } from "vitest";
import { createTestApi, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, findField, readPage } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  test("a page's form carries the id of its member", async () => {
    const { visitor, user } = await visitMember();
    expect(findField((await readPage(visitor, "/profile")).html, "member")?.value).toBe(user.id);
  });

  test.each<[path: string, fields: Record<string, string>, to?: string]>([
    ["/profile", { intent: "details", full_name: "Ada" }],
    ["/profile", { intent: "device", name: "Ada's machine" }],
    ["/profile", { intent: "sessions" }],
    ["/profile", { intent: "password", currentPassword: TEST_PASSWORD, password: "an entirely new one 9" }],
    ["/profile/data", {}, "/profile"],
    ["/profile/delete", { password: TEST_PASSWORD, understood: "on" }],
    ["/profile/email", { intent: "email", email: "new@nodebeat.test", password: TEST_PASSWORD }],
    ["/legal/terms", { accept: "on", returnTo: "/faqs" }, "/faqs"],
  ])("%s ignores a form from another member's page", async (path, fields, to = path) => {
    const { user: ada } = await visitMember();
    const { visitor } = await visitMember();
    pages.calls.length = 0;
    const response = await visitor.post(path, { ...fields, member: ada.id });
    expect([response.status, response.headers.get("Location")]).toEqual([302, to]);
    // A new document drops what the tab remembers of the other member.
    expect(response.headers.has("X-Remix-Reload-Document")).toBe(true);
    expect(pages.calls).toEqual([]);
  });
});
