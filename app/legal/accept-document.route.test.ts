import { afterAll, expect, test } from "vitest";
import { acceptPrivacy, acceptTerms } from "../../server/legal/contract.ts";
import { createTestApi } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { describePages } from "../../tests/support/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const ACCEPTANCES = new Set([acceptTerms, acceptPrivacy].map(({ method, path }) => `${method} ${path}`));

describePages(database, api, ({ pages, visitMember }) => {
  test.each(["/legal/terms/", "/LEGAL/terms", "/legal/Privacy"])("%s accepts neither document", async (path) => {
    const { visitor } = await visitMember({ whitelisted: true, accepted: [] });
    expect((await visitor.post(path, { accept: "on" })).status).toBe(404);
    expect(pages.calls.filter((call) => ACCEPTANCES.has(call))).toEqual([]);
  });
});
