import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createTestPages, createVisitor } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

test.each([
  ["/terms/1", "/terms/:version?"],
  ["/terms/1.data", "/terms/:version?"],
  ["/wallet/anything", "/wallet/:purpose"],
  ["/auth?email=ada@nodebeat.test", "/auth"],
  ["/", "/"],
  ["/read/stats", "/read/*"],
  ["/no/such/page", "/*"],
])("a request for %s is counted under the route %s", async (address, pattern) => {
  const pages = createTestPages("embedded", createTestApi(database));
  await createVisitor(pages).get(address);
  expect(pages.routes).toEqual([pattern]);
});
