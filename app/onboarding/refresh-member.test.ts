import { afterAll, expect, test } from "vitest";
import { onboard } from "../../server/onboarding/contract.ts";
import { readStats } from "../../server/points/contract.ts";
import { readUser } from "../../server/profile/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 4.10, 4.13
  test("after onboarding, fetches the user and the stats in parallel, even if already read", async () => {
    const { visitor } = await visitMember({ onboarded: false });
    const { promise: statsAsked, resolve: askStats } = Promise.withResolvers<void>();
    let [before, meanwhile]: [number, string[]] = [0, []];
    pages.override(onboard, (request) => {
      before = pages.calls.length;
      return api.fetch(request);
    });
    pages.override(readStats, (request) => {
      askStats();
      return api.fetch(request);
    });
    pages.override(readUser, async (request) => {
      // Neither waits for the other.
      await statsAsked;
      meanwhile = pages.calls.slice(before);
      return api.fetch(request);
    });
    expect((await visitor.get("/dashboard.data?_routes=dashboard%2Fdashboard.route")).status).toBe(200);
    expect(meanwhile.toSorted()).toEqual(["GET /api/user", "GET /api/users/stats", "GET /api/users/user-onboarded"]);
  });

  // specification: 4.14
  test("fetches the user again on its own if the stats fail to load", async () => {
    const { visitor } = await visitMember({ onboarded: false });
    pages.override(readStats, () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 }));
    expect((await visitor.get("/dashboard.data?_routes=dashboard%2Fdashboard.route")).status).toBe(200);
    const since = pages.calls.slice(pages.calls.indexOf("POST /api/users/onboard"));
    expect(since.filter((call) => call === "GET /api/user")).toHaveLength(2);
  });
});
