import { afterAll, expect, test } from "vitest";
import { brand } from "../../brand.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.24
  test("the slim header has the logo, the community links and a sign-up link", async () => {
    const { html } = await readPage(createVisitor(pages), "/auth");
    const header = html.slice(html.indexOf("<header"), html.indexOf("</header>"));
    const links = Array.from(header.matchAll(/<a [^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/g), ([, href, content = ""]) => [
      content.replaceAll(/<[^>]+>/g, ""),
      href,
    ]);
    expect(links).toEqual([[brand.name, "/auth"], ...Object.entries(brand.links), ["Get started", "/auth/signup"]]);
    expect(Object.keys(brand.links)).toEqual(["Discord", "Telegram", "X"]);
    // Followed without a script and a cookie, the link would look like the way back from a sign-in that left no cookie.
    expect(header).toMatch(/<a href="\/auth" rel="noreferrer"/);
  });

  test.each(["/auth", "/auth/signup", "/auth/verify", "/auth/logout"])(
    "the footer of %s links to help",
    async (path) => {
      const { html } = await readPage(createVisitor(pages), path);
      expect(html.slice(html.indexOf("<footer"))).toMatch(/<a [^>]*href="\/faqs"[^>]*>Help &amp; FAQs<\/a>/);
    },
  );

  // specification: 2.24
  test("shows a member the same header, whose sign-up link redirects to the dashboard", async () => {
    const { visitor } = await visitMember();
    expect((await readPage(visitor, "/auth/logout")).html).toMatch(/<a [^>]*href="\/auth\/signup"[^>]*>Get started</);
    expect((await visitor.get("/auth/signup")).headers.get("Location")).toBe("/dashboard");
  });
});
