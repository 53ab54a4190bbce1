import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  readPage,
  listUnreadMessages,
  TRANSPORTS,
} from "../../tests/support/pages/test-pages.ts";
import { TOAST } from "../outcome/toast-words.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const titleOf = (html: string) => /<title>([^<]*)/.exec(html)?.[1]?.replace("&amp;", "&");
const fail = (status: number) => () => Response.json({ message: "Oops", error: "INTERNAL_ERROR" }, { status });

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  test("an unknown page looks the same to members and visitors", async () => {
    const { visitor: member } = await visitMember();
    for (const visitor of [member, createVisitor(pages)]) {
      const { status, html, text } = await readPage(visitor, "/no-such-page");
      expect([status, titleOf(html)]).toEqual([404, "This page does not exist · Nodebeat"]);
      expect(text).toContain("The address may be mistyped, or the page may have moved.");
      expect(text).toContain("Request request-1");
      expect(html).toMatch(/<a [^>]*href="\/"[^>]*>Go home/);
    }
  });

  test("a form sent to an unknown page is not found", async () => {
    expect((await createVisitor(pages).post("/no-such-page", { name: "value" })).status).toBe(404);
  });

  test.each([
    { answer: 403, status: 403, title: "You do not have access to this page", way: "Use another account" },
    { answer: 500, status: 500, title: "Something went wrong, please try again!", way: "Try again" },
    ...[429, 502, 503, 504].map((answer) => ({
      answer,
      status: 503,
      title: "We cannot reach your data right now",
      way: "Try again",
    })),
  ])(
    "if the API responds with $answer, the page has the shell, a reason, a next step and the request id",
    async (expected) => {
      const { visitor } = await visitMember();
      pages.override("everything", fail(expected.answer));
      for (const path of ["/dashboard", "/rewards", "/profile"]) {
        const { status, html, text } = await readPage(visitor, path);
        expect([status, titleOf(html)]).toEqual([expected.status, `${expected.title} · Nodebeat`]);
        expect(html).toContain('<nav aria-label="Main"');
        expect(text).toContain(expected.title);
        expect(text).toContain(expected.way);
        expect(text).toContain("Request request-1");
        // The status page tells whether others have the problem too, so only server errors link to it.
        expect(/<a [^>]*href="\/status"/.test(html)).toBe(status >= 500);
      }
    },
  );

  test("the next page shows an action's message once", async () => {
    const { visitor } = await visitMember();
    const response = await visitor.post("/auth/logout");
    const { text } = await readPage(visitor, response.headers.get("Location") ?? "");
    expect(text).toContain("You are logged out.");
    expect(listUnreadMessages(visitor, TOAST)).toEqual([]);
    expect((await readPage(visitor, "/auth")).text).not.toContain("You are logged out.");
  });
});
