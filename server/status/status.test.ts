import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { openStatus, partOf, pass, type StatusOptions } from "../../tests/support/servers/status-process.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { statusDays, statusSamples } from "../db/schema.ts";
import * as contract from "./contract.ts";
import { PartId } from "./contract.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const database = await createTestDatabase();
const { db } = database;
beforeEach(() => database.reset());
afterAll(() => database.close());

const open = (options?: StatusOptions) => openStatus(database, options);
const countRows = () => db.$count(statusSamples);

test("stores each past minute once per part, and the API reports the status to anyone", async () => {
  const process = open();
  await pass(process, 3);
  expect(await countRows()).toBe(3 * PartId.options.length);
  const report = await process.api.read(contract.readStatus);
  expect(report).toMatchObject({
    state: "up",
    history: "current",
    incidents: [],
    at: process.clock.now().toISOString(),
  });
  expect(report.parts.map(({ id, state }) => [id, state])).toEqual(PartId.options.map((id) => [id, "up"]));
  expect(partOf(report, "api").days).toHaveLength(90);
  expect(partOf(report, "api").days.at(-1)).toEqual({ date: "2026-11-20", up: 3, degraded: 0, down: 0, unknown: 0 });
  expect(partOf(report, "api").uptime).toBe(100);

  await db.delete(statusSamples);
  await pass(process, 1);
  expect(await countRows()).toBe(PartId.options.length);
});

test.each([
  [2, 1, 66.66],
  [57, 43, 57],
])("rounds an uptime down, so that a hundred percent means all of it: %i up, %i down", (up, down, uptime) => {
  const { clock, status } = open();
  const since = new Date(clock.now().getTime() - (up + down) * MINUTE);
  const row = { part: "api", day: "2026-11-20", up, degraded: 0, down, since };
  status.remember({ until: clock.now(), days: [row], latest: {}, incidents: [] });
  expect(partOf(status.report(), "api").uptime).toBe(uptime);
});

test("several processes store one sample a minute, the worst that any has seen", async () => {
  const clock = createTestClock();
  const [one, other, third] = [open({ clock }), open({ clock }), open({ clock })];
  other.metrics.ready.set({ part: "chain" }, 0);
  await Promise.all([one, other, third].map(({ sampler }) => sampler.sample()));
  clock.advance(MINUTE);
  await Promise.all([one, other, third].map(({ sampler }) => sampler.store()));
  expect(await countRows()).toBe(PartId.options.length);
  const rows = await db.select().from(statusSamples);
  expect(rows.filter(({ state }) => state > 0).map(({ part, state }) => [part, state])).toEqual([["chain", 2]]);
  const days = await db.select().from(statusDays);
  expect(days.find(({ part }) => part === "chain")).toMatchObject({ up: 0, down: 1 });
});

test("stores the longest lag of heartbeats that any process has seen in a minute", async () => {
  const clock = createTestClock();
  const [quick, slow, idle] = [open({ clock }), open({ clock }), open({ clock, parts: ["api"] })];
  const beat = ({ metrics }: typeof quick, seconds: number) =>
    metrics.requests.observe({ method: "POST", route: "/api/heartbeats", status: "2xx" }, seconds);
  for (const process of [quick, slow]) await process.sampler.tick();
  beat(quick, 0.01);
  beat(slow, 3);
  for (const process of [quick, slow]) await process.sampler.tick();
  // A later check of the same minute has seen a shorter one.
  beat(slow, 0.01);
  await slow.sampler.tick();
  clock.advance(MINUTE);
  for (const process of [slow, quick, idle]) await process.sampler.store();
  expect(partOf(idle.status.report(), "heartbeats").lagSeconds).toBe(5);
});

test("a process learns from others about the parts that it does not see itself", async () => {
  const clock = createTestClock();
  const web = open({ clock, parts: ["api", "database", "heartbeats", "chain"] });
  const worker = open({ clock, parts: ["database", "chain", "mail"] });
  worker.metrics.oldestJob.set({ kind: "mail" }, 3600);
  await web.sampler.tick();
  expect(partOf(web.status.report(), "mail").state).toBe("unknown");
  await worker.sampler.tick();
  clock.advance(MINUTE);
  await worker.sampler.tick();
  await web.sampler.tick();
  expect(partOf(web.status.report(), "mail").state).toBe("down");
  expect(web.status.notice()).toBe("Some of Nodebeat is down: Email");
  clock.advance(4 * MINUTE);
  await web.sampler.tick();
  expect(partOf(web.status.report(), "mail").state).toBe("unknown");
});

test("the notice names what is down, without what is only slow", async () => {
  const { metrics, sampler, status } = open();
  metrics.oldestJob.set({ kind: "mail" }, 300);
  await sampler.tick();
  expect(status.notice()).toBe("Some of Nodebeat is slow or fails at times: Email");
  metrics.ready.set({ part: "chain" }, 0);
  await sampler.tick();
  expect(status.notice()).toBe("Some of Nodebeat is down: Chain");
});

test("reports an outage of the database while it lasts, and stores it afterwards", async () => {
  const process = open();
  await pass(process, 2);
  process.setAway(true);
  await pass(process, 4);
  const during = process.status.report();
  expect(during).toMatchObject({ state: "down", history: "stale" });
  expect(partOf(during, "api").state).toBe("down");
  expect(partOf(during, "api").days.at(-1)).toMatchObject({ up: 2 });
  expect(process.status.notice()).toMatch(/^Some of Nodebeat is down: API, Database/);
  process.setAway(false);
  await pass(process, 1);
  const after = process.status.report();
  expect(after).toMatchObject({ state: "up", history: "current" });
  expect(partOf(after, "database").days.at(-1)).toMatchObject({ down: 5, unknown: 0 });
});

test("minutes without a sample count as unknown, and not as up", async () => {
  const process = open();
  await pass(process, 2);
  process.clock.advance(29 * MINUTE);
  await pass(process, 2);
  const { days, uptime } = partOf(process.status.report(), "database");
  const { up, unknown } = days.at(-1) ?? { up: 0, unknown: 0 };
  expect(unknown).toBe(28);
  expect(uptime).toBe(Math.floor((up * 10_000) / (up + unknown)) / 100);
  expect(uptime).toBeLessThan(50);
});

test("answers status requests without a database query", async () => {
  const process = open();
  await pass(process, 1);
  const asked = vi.spyOn(database.pool, "query");
  for (let time = 0; time < 20; time += 1) expect((await process.api.call(contract.readStatus)).status).toBe(200);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

test("shows an incident to members until it is resolved, in the administrator's words", async () => {
  const process = open();
  const { api, clock, sampler, status } = process;
  const { token } = await seedAdministrator(api.deps);
  const body = { title: "Mail is late", text: "We look into it.", part: "mail", impact: "down", reason: "Pager" };
  const key = "0192F000-0000-7000-8000-00000000000A";
  const incident = await api.read(contract.openIncident, { token, body: { ...body, key } });
  await sampler.tick();
  expect(status.notice()).toBe("Mail is late");
  expect(status.report()).toMatchObject({ state: "down", incidents: [{ id: incident.id, resolvedAt: null }] });

  clock.advance(MINUTE);
  const params = { id: key };
  const update = { text: "Some mails leave.", impact: "degraded", reason: "Pager" };
  await api.read(contract.updateIncident, { token, params, body: update });
  clock.advance(MINUTE);
  const resolved = await api.read(contract.resolveIncident, {
    token,
    params,
    body: { text: "All left.", reason: "Over" },
  });
  expect(resolved).toMatchObject({ impact: "degraded", resolvedAt: clock.now().toISOString() });
  expect(resolved.updates.map(({ text }) => text)).toEqual(["All left.", "Some mails leave.", "We look into it."]);
  await sampler.tick();
  expect([status.notice(), status.report().state]).toEqual([undefined, "up"]);
  expect(status.report().incidents).toHaveLength(1);
  const about = { subject: "incident", subjectId: incident.id };
  expect(await readAudit(db)).toMatchObject([
    { ...about, action: "incident.opened" },
    { ...about, action: "incident.updated" },
    { ...about, action: "incident.resolved" },
  ]);

  const again = { token, params, body: { text: "Once more", reason: "Late" } };
  expect((await api.call(contract.resolveIncident, again)).status).toBe(409);
  expect((await api.call(contract.updateIncident, again)).status).toBe(409);
  const nobody = { ...again, params: { id: "0192f000-0000-7000-8000-000000000001" } };
  expect((await api.call(contract.resolveIncident, nobody)).status).toBe(404);
  const early = { ...body, startedAt: new Date(clock.now().getTime() + MINUTE).toISOString() };
  expect((await api.call(contract.openIncident, { token, body: early })).status).toBe(400);
  const { token: mine } = await seedMember(api.deps);
  expect((await api.call(contract.openIncident, { token: mine, body })).status).toBe(403);
  expect((await api.call(contract.readIncidents, { token: mine })).status).toBe(403);

  // For as long as days are shown, and no longer.
  for (const [milliseconds, shown] of [
    [90 * DAY, 1],
    [1, 0],
  ] as const) {
    clock.advance(milliseconds);
    await sampler.tick();
    expect(status.report().incidents).toHaveLength(shown);
    expect(await pruneExpired(api.deps)).toMatchObject({ incidents: 1 - shown });
  }
});

test("an incident for information only is not an outage", async () => {
  const { clock, sampler, status } = open();
  await sampler.tick();
  const times = { startedAt: clock.now().toISOString(), resolvedAt: null };
  const planned = { id: "1", title: "Work on Sunday", part: null, impact: "notice" as const, ...times, updates: [] };
  status.remember({ until: clock.now(), days: [], latest: {}, incidents: [planned] });
  expect([status.notice(), status.report().state]).toEqual(["Work on Sunday", "up"]);
});

test("the notice shows a problem before mere information, and the worst incident first", async () => {
  const { clock, metrics, sampler, status } = open();
  const at = clock.now().toISOString();
  const noticeOf = (...told: [title: string, impact: contract.Impact][]) => {
    const incidents = told.map(([title, impact]) => {
      return { id: title, title, part: null, impact, startedAt: at, resolvedAt: null, updates: [] };
    });
    status.remember({ until: clock.now(), days: [], latest: {}, incidents });
    return status.notice();
  };
  metrics.ready.set({ part: "chain" }, 0);
  await sampler.tick();
  expect(noticeOf(["Work on Sunday", "notice"])).toBe("Some of Nodebeat is down: Chain");
  expect(noticeOf(["Work on Sunday", "notice"], ["Points are late", "degraded"], ["The network is away", "down"])).toBe(
    "The network is away",
  );
  expect(noticeOf(["Work on Sunday", "notice"], ["Points are late", "degraded"])).toBe("Points are late");
});

test("reports the state as unknown if there has been no sample for a while", async () => {
  const process = open();
  await pass(process, 1);
  process.clock.advance(3 * MINUTE);
  expect(process.status.report()).toMatchObject({ state: "unknown", history: "stale" });
  expect(process.status.notice()).toBeUndefined();
});

test("ignores what a process whose clock is ahead has seen", async () => {
  const clock = createTestClock();
  const process = open({ clock, parts: ["api", "database", "heartbeats", "chain"] });
  await pass(process, 3);
  const before = process.status.report();
  const ahead = open({ clock: createTestClock(new Date(clock.now().getTime() + 30 * DAY)) });
  ahead.metrics.oldestJob.set({ kind: "mail" }, 3600);
  await pass(ahead, 2);
  await process.sampler.tick();
  const after = process.status.report();
  expect(partOf(after, "api")).toEqual(partOf(before, "api"));
  expect(partOf(after, "mail").state).toBe("unknown");
  expect(after.parts.map(({ days }) => days.at(-1)?.date)).toEqual(before.parts.map(() => "2026-11-20"));
});
