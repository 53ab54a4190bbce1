import { afterAll, expect, test } from "vitest";
import { createTestApi, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { describePages, findField, readPage, readText } from "../../../tests/support/pages/test-pages.ts";
import { changePassword } from "../../../server/auth/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  test("changes the password, marks the field of a wrong current one, and returns nothing typed", async () => {
    const { visitor } = await visitMember();
    const typed = { intent: "password", currentPassword: "not-the-current-one", password: "a new and longer password" };
    const wrong = await visitor.post("/profile", typed);
    expect(wrong.status).toBe(400);
    const told = await wrong.text();
    expect(readText(told)).toContain("That is not your current password.");
    expect(findField(told, "currentPassword")).toMatchObject({ "aria-invalid": "true" });
    expect(told).not.toContain(typed.currentPassword);
    expect(told).not.toContain(typed.password);

    // A field with a maximum length would cut a pasted password, and the member would never know.
    expect(findField(told, "password")).not.toHaveProperty("maxLength");
    const long = { ...typed, currentPassword: TEST_PASSWORD, password: "a long password ".repeat(17) };
    const refused = await visitor.post("/profile", long);
    expect(readText(await refused.text())).toContain("Use at most 256 characters.");

    const right = await visitor.post("/profile", { ...typed, currentPassword: TEST_PASSWORD });
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/profile#password"]);
    const { text, html } = await readPage(visitor, "/profile");
    expect(text).toContain("Your password has been changed.");
    expect(html).toMatch(/<input[^>]*autoComplete="username"[^>]*value="[^"]+@/i);
    expect(findField(html, "currentPassword")).toMatchObject({ autoComplete: "current-password" });
    const own = { full_name: "name", username: "nickname", avatar_url: "photo", website: "url", email: "email" };
    for (const [name, autoComplete] of Object.entries(own))
      expect(findField(html, name)).toMatchObject({ autoComplete });
  });

  test("says when to try again after too many attempts", async () => {
    const { visitor } = await visitMember();
    pages.override(changePassword, () =>
      Response.json(
        { message: "Too many tries.", error: "TOO_MANY_ATTEMPTS", statusCode: 429 },
        { status: 429, headers: { "Retry-After": "90" } },
      ),
    );
    const form = { intent: "password", currentPassword: TEST_PASSWORD, password: "a new and longer password" };
    const response = await visitor.post("/profile", form);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "90"]);
    expect(readText(await response.text())).toMatch(/Too many tries\.\s+You can try again at/);
  });
});
