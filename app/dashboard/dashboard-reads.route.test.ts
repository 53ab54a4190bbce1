import { afterAll, expect, test } from "vitest";
import { readContentPointsHistory } from "../../server/agent-insights/contract.ts";
import { readPointsHistory, readPointsLog } from "../../server/points/contract.ts";
import { createTestApi } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { describePages } from "../../tests/support/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.10, 9.16, 9.18
  test("the dashboard reads seven days, the first ten rows of the log, and a further list of five", async () => {
    const { visitor } = await visitMember();
    const asked: string[] = [];
    for (const endpoint of [readPointsHistory, readPointsLog, readContentPointsHistory]) {
      pages.override(endpoint, (request) => {
        asked.push(request.url.slice(new URL(request.url).origin.length));
        return api.fetch(request);
      });
    }
    expect((await visitor.get("/dashboard")).status).toBe(200);
    expect(asked.toSorted()).toEqual([
      "/api/users/content-points-history?page=1&limit=5",
      "/api/users/points-history?range=last7days",
      "/api/users/points-log?page=1&limit=10",
    ]);
  });
});
