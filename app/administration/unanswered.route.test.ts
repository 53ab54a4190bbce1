import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { readChainJobs } from "../../server/background-work/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

/** A gateway answers a page's call with a page of its own. */
describePages(database, api, ({ pages, visitAdministrator }) => {
  async function visit(status: number) {
    const { visitor } = await visitAdministrator();
    pages.override(readChainJobs, () => new Response("<h1>Back soon</h1>", { status }));
    return visitor;
  }

  test.each([429, 502, 503, 504])("with %i, our page says that the data cannot be reached", async (status) => {
    expect(await readPage(await visit(status), "/admin/chain-jobs")).toMatchObject({
      status: 503,
      text: expect.stringContaining("We cannot reach your data right now"),
    });
  });

  test("with 401, our page leads to sign-in", async () => {
    const { headers, status } = await (await visit(401)).get("/admin/chain-jobs");
    expect([status, headers.get("Location")]).toEqual([302, "/auth?redirectTo=%2Fadmin%2Fchain-jobs"]);
  });

  test("an address that the API itself refuses is not found", async () => {
    const { visitor } = await visitAdministrator();
    expect(await readPage(visitor, "/admin/chain-jobs?state=nonsense")).toMatchObject({
      status: 404,
      text: expect.stringContaining("This page does not exist"),
    });
  });
});
