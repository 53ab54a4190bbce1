import { afterAll, expect, test } from "vitest";
import { onboard } from "../../server/onboarding/contract.ts";
import { createTestApi } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { describePages } from "../../tests/support/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 4.10, 4.13
  test("after onboarding the user and the stats are fetched together, whatever was read before", async () => {
    const { visitor } = await visitMember({ onboarded: false });
    let before = 0;
    pages.override(onboard, (request) => {
      before = pages.calls.length;
      return api.fetch(request);
    });
    expect((await visitor.get("/dashboard.data?_routes=dashboard%2Fdashboard.route")).status).toBe(200);
    const after = pages.calls.slice(before);
    expect(after.slice(0, 3)).toEqual([
      "GET /api/users/user-onboarded",
      expect.stringMatching(/^GET \/api\/(?:user|users\/stats)$/),
      expect.stringMatching(/^GET \/api\/(?:user|users\/stats)$/),
    ]);
    expect(after[1]).not.toBe(after[2]);
  });
});
