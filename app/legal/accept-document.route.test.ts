import { afterAll, expect, test } from "vitest";
import { acceptPrivacy, acceptTerms } from "../../server/legal/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const ACCEPTANCES = new Set([acceptTerms, acceptPrivacy].map(({ method, path }) => `${method} ${path}`));

describePages(database, api, ({ pages, visitMember }) => {
  test.each(["/legal/terms/", "/LEGAL/terms", "/legal/Privacy"])(
    "%s is not found and accepts neither document",
    async (path) => {
      const { visitor } = await visitMember({ whitelisted: true, accepted: [] });
      expect((await visitor.post(path, { accept: "on" })).status).toBe(404);
      expect(pages.calls.filter((call) => ACCEPTANCES.has(call))).toEqual([]);
    },
  );

  test.each([
    ["/legal/terms", "Terms of Service accepted successfully", acceptTerms, () => new Response(null, { status: 204 })],
    ["/legal/terms", "Terms of Service accepted successfully", acceptTerms, () => Response.error()],
    ["/legal/privacy", "Privacy Policy accepted successfully", acceptPrivacy, () => Response.json({})],
  ] as const)(
    "%s succeeds if the acceptance was saved, whatever the response is, %#",
    async (action, words, call, respond) => {
      const { visitor } = await visitMember({ whitelisted: action === "/legal/terms", accepted: [] });
      pages.override(call, async (request) => {
        await api.fetch(request);
        return respond();
      });
      await visitor.post(action, { accept: "on", returnTo: "/faqs" });
      const { text } = await readPage(visitor, "/faqs");
      expect(text).toContain(words);
      expect(text).not.toContain("Failed to update");
    },
  );

  test("an acceptance that the backend refuses fails, even if an earlier version was accepted", async () => {
    const { visitor } = await visitMember({ whitelisted: true });
    pages.override(acceptTerms, () => Response.json({ success: false, message: "This version is not open yet." }));
    await visitor.post("/legal/terms", { accept: "on", returnTo: "/faqs" });
    expect((await readPage(visitor, "/faqs")).text).not.toContain("accepted successfully");
  });
});
