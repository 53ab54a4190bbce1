import { afterAll, expect, test } from "vitest";
import { readContentPointsHistory } from "../../server/agent-insights/contract.ts";
import { readPointsHistory, readPointsLog, readStats } from "../../server/points/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { DEFAULT_STATS } from "../points/default-stats.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.10, 9.16, 9.18
  test("the dashboard reads seven days, the first ten rows of the log and five rows of content points", async () => {
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

  test("shows each figure under its own name, and the kind of each content item", async () => {
    const { visitor } = await visitMember();
    const stats = {
      ...DEFAULT_STATS,
      points_total: 5000,
      points_today: 12.5,
      heartbeats: 321,
      last_heartbeat_at: "2020-01-01T00:00:00.000Z",
      total_referrals: 9,
      successful_referrals: 4,
      total_referral_points: 2000,
    };
    pages.override(readStats, () => Response.json(stats));
    const data = ["profile", "comment", "post"].map((kind, index) => {
      return { kind, title: `Item ${index}`, points: index + 1, timestamp: "2026-11-20T12:00:00.000Z" };
    });
    pages.override(readContentPointsHistory, () => Response.json({ data, total: 3 }));
    const { text } = await readPage(visitor, "/dashboard");
    expect(text).toMatch(/Total points 5\.000 \+12,5 today Heartbeats 321 last one \d+ d ago /);
    expect(text).toContain("Referrals 9 4 successful so far Referral points 2.000 from friends you invited");
    expect(text).toContain(
      "Content points Item 0 Profile, 20 Nov 2026, 12:00 UTC +1 Item 1 Comment, 20 Nov 2026, 12:00 UTC +2 Item 2 Post,",
    );
  });
});
