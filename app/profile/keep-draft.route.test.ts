import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, findField, readPage } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ visitMember }) => {
  test.each(["refused by the API", "gone from the browser"])(
    "keeps what was typed for the same member if the session is %s, and responds without an error",
    async (lost) => {
      const { visitor, user, token } = await visitMember();
      if (lost === "gone from the browser") visitor.cookies.delete("nodebeat_session");
      else await visitor.begin({ accessToken: "nbs_gone", userId: user.id });
      const typed = { intent: "details", member: user.id, full_name: "Ada", password: "typed-secret" };
      expect((await visitor.post("/profile/draft", typed)).status).toBe(204);
      // The tab that leaves says why. This answer must not give another reason.
      expect([...visitor.cookies.keys()].filter((name) => /^(?:note|event)_/.test(name))).toEqual([]);
      expect(atob(decodeURIComponent(visitor.cookies.get("nodebeat_draft") ?? ""))).not.toContain("typed-secret");

      await visitor.begin({ accessToken: token, userId: user.id });
      const { html, text } = await readPage(visitor, "/profile");
      expect(findField(html, "full_name")?.value).toBe("Ada");
      expect(text).toContain("What you typed is still here.");
    },
  );

  test("shows what was typed on the email page there, and on no other page", async () => {
    const { visitor, user, token } = await visitMember();
    const email = "typed@example.org";
    visitor.cookies.delete("nodebeat_session");
    await visitor.post("/profile/draft?page=email", { intent: "email", member: user.id, email });
    await visitor.begin({ accessToken: token, userId: user.id });
    expect((await readPage(visitor, "/profile")).html).not.toContain(email);
    const { html, text } = await readPage(visitor, "/profile/email");
    expect(findField(html, "email")?.value).toBe(email);
    expect(text).toContain("What you typed is still here.");
  });

  test("keeps nothing and changes nothing while the session is valid", async () => {
    const { visitor, user } = await visitMember();
    const response = await visitor.post("/profile/draft", { intent: "details", member: user.id, full_name: "Ada" });
    expect([response.status, visitor.cookies.has("nodebeat_draft")]).toEqual([204, false]);
    expect(findField((await readPage(visitor, "/profile")).html, "full_name")?.value).not.toBe("Ada");
    expect((await visitor.get("/profile/draft")).headers.get("Location")).toBe("/profile");
  });
});
