import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { BY_OPERATOR, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { startOperator } from "../ops/operator.fixture.ts";
import * as contract from "./contract.ts";
import { openIncident, resolveIncident } from "./incidents.ts";

const database = await createTestDatabase();
let clock = createTestClock();
const api = createTestApi(database, { now: () => clock.now() });
beforeEach(async () => {
  clock = createTestClock();
  await database.reset();
});
afterAll(() => database.close());

test("concurrent requests open and resolve an incident only once", async () => {
  const key = "0192f000-0000-4000-8000-000000000001";
  const given = { key, title: "Down", text: "It is.", part: null, impact: "down" } as const;
  const refresh = vi.fn<() => void>();
  api.deps.status.onRefresh(refresh);
  const opened = await Promise.all([1, 2, 3].map(() => openIncident(api.deps, BY_OPERATOR, given)));
  expect(new Set(opened.map((incident) => incident.id))).toEqual(new Set([key]));
  expect(opened[0]?.updates).toHaveLength(1);
  // Members are told at once, not only at the next regular check.
  expect(refresh).toHaveBeenCalled();
  const id = key;
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => resolveIncident(api.deps, BY_OPERATOR, { id, text: "It was." })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("rejects a different incident that is sent with the key of an earlier one", async () => {
  const { token } = await seedAdministrator(api.deps);
  const key = "0192f000-0000-4000-8000-000000000001";
  const body = { key, title: "Mail is late", text: "We look", part: "mail", impact: "degraded", reason: "Pager" };
  const open = (changed = {}) => api.call(contract.openIncident, { token, body: { ...body, ...changed } });
  expect((await open()).status).toBe(200);
  const others = [{ title: "Slow" }, { text: "We know" }, { part: null }, { impact: "down" }];
  for (const other of [...others, { startedAt: "2026-11-20T11:00:00Z" }])
    expect(await open(other)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/reported something else/) },
    });

  // Later updates do not change that.
  const update = { text: "Nothing leaves", impact: "down", reason: "Pager" };
  await api.read(contract.updateIncident, { token, params: { id: key }, body: update });
  expect(await open()).toMatchObject({ status: 200, body: { id: key, impact: "down" } });
  expect(await api.read(contract.readIncidents, { token })).toHaveLength(1);
});

test("a process whose clock is behind can resolve an incident", async () => {
  const given = { title: "Down", text: "It is.", part: null, impact: "down" } as const;
  const { id, startedAt } = await openIncident(api.deps, BY_OPERATOR, given);
  clock.advance(-5000);
  const resolved = await resolveIncident(api.deps, BY_OPERATOR, { id, text: "It was." });
  expect(resolved.resolvedAt).toBe(startedAt);
});

test("an operator opens, updates, resolves and lists incidents", async () => {
  const ops = await startOperator(api.deps);
  const why = ["--reason", "Pager"];
  const operate = (verb: string, name: string, ...more: string[]) =>
    ops("incidents", verb, name, "--text", "We look.", ...more, ...why);
  const opened = await operate("open", "Mail is late", "--part", "mail", "--impact", "degraded");
  const since = "since 2026-11-20T12:00:00.000Z";
  const [, id = ""] = /^0 (\S+)/.exec(opened) ?? [];
  expect(opened).toBe(`0 ${id}  open  Mail is late  mail  degraded  ${since}`);
  expect(await operate("update", id, "--impact", "down")).toBe(`0 ${id}  open  Mail is late  mail  down  ${since}`);
  clock.advance(60_000);
  const resolved = `0 ${id}  resolved 2026-11-20T12:01:00.000Z  Mail is late  mail  down  ${since}`;
  expect(await operate("resolve", id)).toBe(resolved);
  expect(await operate("resolve", id)).toBe("1 That incident is already resolved. Report a new one.");
  expect(await ops("incidents", "list")).toBe(`${resolved}\n1 in all.`);
});

test("posts an update once per key, and orders updates by time whatever their keys are", async () => {
  const { token } = await seedAdministrator(api.deps);
  const body = { title: "Slow", text: "We look", reason: "Seen" };
  const opened = await api.read(contract.openIncident, { token, body });
  const update = (text: string, key: string) =>
    api.call(contract.updateIncident, { token, params: { id: opened.id }, body: { text, key, reason: "Seen" } });
  const [high, low] = ["ffffffff-ffff-4fff-bfff-ffffffffffff", "00000000-0000-4000-8000-000000000000"];
  const twice = await Promise.all([update("One", high), update("One", high)]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect((await update("Another", high)).status).toBe(409);
  clock.advance(1000);
  expect((await update("Two", low)).status).toBe(200);
  const [incident] = await api.read(contract.readIncidents, { token });
  expect(incident?.updates.map(({ text }) => text)).toEqual(["Two", "One", "We look"]);
});
