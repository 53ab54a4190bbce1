import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import type { StatusDay, StatusPart, StatusReport } from "../../server/status/contract.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const day = (date: string, minutes: Partial<StatusDay>): StatusDay => ({
  date,
  up: 0,
  degraded: 0,
  down: 0,
  unknown: 0,
  ...minutes,
});

const part = (id: StatusPart["id"], known: Partial<StatusPart>): StatusPart => ({
  id,
  name: id,
  state: "up",
  lagSeconds: null,
  uptime: null,
  days: [],
  ...known,
});

const REPORT: StatusReport = {
  state: "unknown",
  at: "2026-11-20T12:00:00.000Z",
  isReadOnly: false,
  parts: [
    part("api", {
      uptime: 99.5,
      days: [
        day("2026-11-18", {}),
        day("2026-11-19", { up: 1000, degraded: 65, down: 120, unknown: 5 }),
        day("2026-11-20", { unknown: 10 }),
      ],
    }),
    part("heartbeats", { state: "degraded", lagSeconds: 0.25, days: [day("2026-11-20", { up: 10 })] }),
    part("chain", { state: "down", lagSeconds: 1.5 }),
    part("mail", { state: "unknown" }),
  ],
  incidents: [
    {
      id: "late",
      title: "Mail was late",
      part: "mail",
      impact: "notice",
      startedAt: "2026-11-19T08:00:00.000Z",
      resolvedAt: "2026-11-19T09:00:00.000Z",
      updates: [{ at: "2026-11-19T09:01:00.000Z", text: "All has left." }],
    },
  ],
  history: "stale",
};

let report: StatusReport;

describePages(
  database,
  api,
  ({ pages }) => {
    async function show(changes: Partial<StatusReport>) {
      report = { ...REPORT, ...changes };
      return (await readPage(createVisitor(pages), "/status")).text;
    }

    test("describes each state, each day and each incident in words", async () => {
      const text = await show({});
      for (const words of [
        "Some things cannot be checked right now As of 20 Nov 2026, 12:00 UTC History cannot be brought up to date",
        "Parts, last 90 days Up Slow or failing Down for a while No data",
        "api Up Up 99,5 % of the time Day by day api 20 Nov: no data 19 Nov: down for 2 h, slow or failing",
        "slow or failing at times for 1 h 5 min, no data for 5 min 18 Nov: not measured",
        "heartbeats recorded within 250 ms Slow or failing Not measured yet Day by day heartbeats 20 Nov: up",
        "chain recorded within 1,5 s Down mail Unknown Incidents of the last 90 days Mail was late mail ·",
        "mail · For your information · from 19 Nov 2026, 08:00 UTC until 19 Nov 2026, 09:00 UTC",
        "09:00 UTC 19 Nov 2026, 09:01 UTC All has left.",
      ])
        expect(text).toContain(words);
      expect(text).not.toMatch(/Current incidents|Everything can be read/);
    });

    test("says so if there were no incidents, and says why if no history is kept", async () => {
      const quiet = await show({ incidents: [], history: "current" });
      expect(quiet).toContain("Incidents of the last 90 days No past incidents.");
      expect(quiet).not.toMatch(/History cannot|passes requests on/);
      const passing = await show({ incidents: [], history: "none" });
      expect(passing).toContain("This server passes requests on to another one. It keeps no history");
      expect(passing).not.toMatch(/Parts, last|Incidents of the last|No past incidents|No data/);
    });
  },
  { readStatus: () => report },
);
