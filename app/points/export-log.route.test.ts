import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  expectSignedOut,
  readPage,
  TRANSPORTS,
} from "../../tests/support/pages/test-pages.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { exportPointsLog } from "../../server/points/contract.ts";
import { postPoints } from "../../server/points/service.ts";
import { HEARTBEAT_RULE } from "../../server/heartbeats/earning.ts";
import { CAMPAIGN_RULE } from "../../server/rewards/earning.ts";

const database = await createTestDatabase();
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const DAY_MS = 24 * 60 * 60 * 1000;

/** Posts a row a day, every second one a reward. */
async function post(userId: string, count: number) {
  const entries = Array.from({ length: count }, (_, daysAgo) => ({
    userId,
    rule: daysAgo % 2 ? CAMPAIGN_RULE : HEARTBEAT_RULE,
    sourceId: `event ${daysAgo}`,
    points: 25,
    comment: `${daysAgo} days ago`,
    occurredAt: new Date(clock.now().getTime() - daysAgo * DAY_MS),
  }));
  await inTransaction(database.db, (tx) => postPoints(tx, entries));
}

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  test("the file contains every row that matches the dashboard's filter, from all pages", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 40);

    const response = await visitor.get("/points/export?category=Rewards&startDate=2026-10-20&page=2&range=30");

    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="points-log-rewards-2026-10-20-to-2026-11-20.csv"',
      "cache-control": "no-store",
    });
    const lines = (await response.text()).split("\r\n");
    expect(lines).toHaveLength(18);
    expect(lines[1]).toContain("2026-11-19T12:00:00.000Z,Rewards,25,1 days ago,");
    expect(lines[16]).toContain("2026-10-20T12:00:00.000Z,Rewards,25,31 days ago,");
  });

  test("an invalid filter redirects to the dashboard without calling the API", async () => {
    const { visitor } = await visitMember();
    const response = await visitor.get("/points/export?startDate=soon&category=Rewards");
    expect([response.status, response.headers.get("Location")]).toEqual([
      302,
      "/dashboard?startDate=soon&category=Rewards",
    ]);
    expect(pages.calls).toEqual([]);
  });

  test("if the file cannot be created, redirects to the dashboard, which says so", async () => {
    const { visitor } = await visitMember();
    pages.override(exportPointsLog, () => Response.error());
    const response = await visitor.get("/points/export?category=Rewards");
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/dashboard?category=Rewards"]);
    expect((await readPage(visitor, "/dashboard")).text).toContain(
      "The file could not be created. Please try again in a moment.",
    );
    expect(pages.log.error).toHaveBeenCalledWith(expect.anything(), "The points log could not be exported");
  });

  test("sign-in leads back to the dashboard, not to the file", async () => {
    const response = await createVisitor(pages).get("/points/export?category=Rewards");
    expect(response.headers.get("Location")).toBe("/auth?redirectTo=%2Fdashboard%3Fcategory%3DRewards");

    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: "nbs_unknown", userId: "somebody" });
    await expectSignedOut(await visitor.get("/points/export"), visitor, "/auth");
  });

  test("a file that breaks off at the backend breaks off here, too", async () => {
    const { visitor } = await visitMember();
    pages.override(exportPointsLog, () => {
      let count = 0;
      const body = new ReadableStream({
        pull(controller) {
          if (++count > 3) controller.error(new Error("gone"));
          else controller.enqueue(new TextEncoder().encode("a line\r\n"));
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/csv", "Content-Length": "9999" } });
    });
    const response = await visitor.get("/points/export");
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="points-log.csv"');
    expect(response.headers.has("Content-Length")).toBe(false);
    await expect(response.text()).rejects.toThrow(/gone|terminated/);
  });
});
