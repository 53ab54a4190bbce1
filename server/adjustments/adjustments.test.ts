import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR, readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, NO_CLIENT, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { addAdministrator, removeAdministrator } from "../administration/service.ts";
import { adjustmentRequests } from "../db/schema.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { readPointsLog, readStats } from "../points/contract.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { startSession } from "../sessions/service.ts";
import * as contract from "./contract.ts";

const database = await createTestDatabase();
const { db } = database;
let clock = createTestClock();
const api = createTestApi(database, { now: () => clock.now(), env: { adjustmentApprovalAbove: 1000 } });
const NOBODY = { token: "", id: "" };
let [ada, ben] = [NOBODY, NOBODY];
let member: Awaited<ReturnType<typeof seedMember>>;
beforeEach(async () => {
  clock = createTestClock();
  await database.reset();
  const seeded = [await seedAdministrator(api.deps, "ada@example.com"), await seedAdministrator(api.deps)];
  [ada, ben] = seeded.map(({ token, user }) => ({ token, id: user.id })) as [typeof ada, typeof ben];
  member = await seedMember(api.deps, { email: "cleo@example.com" });
});
afterAll(() => database.close());

const DAY = 24 * 60 * 60 * 1000;
const reason = "Lost in the outage of May";
const body = { member: "cleo@example.com", category: "Rewards", key: "may", reason };
const make = (token: string, points: number, more: object = {}) =>
  api.call(contract.makeAdjustment, { token, body: { ...body, points, ...more } });
const list = (token: string, show = "waiting") => api.read(contract.readAdjustmentRequests, { token, query: { show } });
const DECISIONS = { approve: contract.approveAdjustment, decline: contract.declineAdjustment };
const decide = (verb: keyof typeof DECISIONS, token: string, id: string) =>
  api.call(DECISIONS[verb], { token, params: { id }, body: { reason: "I have seen the log of the outage" } });
/** The response to a call that is refused for a reason which contains these words. */
const refused = (words: string) => ({ status: 409, body: { message: expect.stringContaining(words) } });
const total = async () => (await api.read(readStats, { token: member.token })).points_total;
const signIn = async ({ id }: { id: string }) =>
  (await startSession(api.deps, { userId: id, client: NO_CLIENT, byPassword: true })).token;

/** Makes a request as Ada that waits for approval. */
async function ask(points = 5000) {
  expect((await make(ada.token, points)).body).toMatchObject({ outcome: "waiting" });
  return (await list(ben.token)).items[0]?.id ?? "";
}

test("an administrator adjusts up to the daily amount alone, and anything beyond waits for approval", async () => {
  expect((await make(ada.token, 600)).body).toMatchObject({ outcome: "posted", points: 600 });
  expect((await make(ada.token, 600)).body).toMatchObject({ outcome: "already" });
  expect((await list(ada.token)).alone).toEqual({ perDay: 1000, left: 400 });
  expect((await list(ben.token)).alone.left).toBe(1000);
  expect((await make(ada.token, -400, { key: "june" })).body).toMatchObject({ outcome: "posted" });
  expect((await make(ada.token, 0.01, { key: "july" })).body).toMatchObject({ outcome: "waiting" });
  expect((await make(ben.token, 1000.01, { key: "august" })).body).toMatchObject({ outcome: "waiting" });
  expect((await make(ben.token, 1000, { key: "september" })).body).toMatchObject({ outcome: "posted" });
  expect(await total()).toBe(1200);

  clock.advance(DAY - (clock.now().getTime() % DAY));
  const token = await signIn(ada);
  expect((await list(token)).alone.left).toBe(1000);
  expect((await make(token, 1000, { key: "october" })).body).toMatchObject({ outcome: "posted" });
  clock.advance(-1);
  expect((await make(token, 1000, { key: "november" })).body).toMatchObject({ outcome: "waiting" });
  expect(await total()).toBe(2200);
  expect(await checkLedger(db)).toEqual([]);
});

test("many small concurrent adjustments cannot exceed the daily amount", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, (_, nth) => make(ada.token, 200, { key: `part ${nth}` })));
  expect(made.filter(({ status }) => status !== 200)).toEqual([]);
  const outcomes = made.map((each) => (each.body as { outcome: string }).outcome);
  expect(outcomes.toSorted()).toEqual([...Array(5).fill("posted"), ...Array(3).fill("waiting")]);
  expect(await total()).toBe(1000);
});

test("only one of many concurrent approvals counts, and only by another administrator", async () => {
  const id = await ask();
  expect(await total()).toBe(0);
  expect((await list(ada.token)).items).toMatchObject([{ id, isOwn: true, state: "waiting", reason }]);
  expect(await decide("approve", ada.token, id)).toMatchObject(refused("another administrator has to approve it"));

  const third = await seedAdministrator(api.deps);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => decide("approve", nth % 2 ? ben.token : third.token, id.toUpperCase())),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(409)]);
  expect(await total()).toBe(5000);
  const { data } = await api.read(readPointsLog, { token: member.token });
  expect(data).toMatchObject([{ category: "Rewards", points: 5000, comment: reason }]);
  const details = { points: 5000, category: "Rewards", key: "may" };
  const about = { subject: "member", subjectId: member.user.id };
  expect(await readAudit(db)).toMatchObject([
    { ...about, action: "points.requested", actorId: ada.id, reason, details: { ...details, requestId: id } },
    { ...about, action: "points.approved", details: { ...details, requestId: id, requestedBy: ada.id } },
  ]);
  expect((await list(ben.token)).items).toEqual([]);
  expect((await list(ben.token, "all")).items).toMatchObject([{ id, state: "approved" }]);
  expect((await make(ada.token, 5000)).body).toMatchObject({ outcome: "already" });
  expect(await checkLedger(db)).toEqual([]);
});

test("only one of a concurrent approval and refusal counts", async () => {
  const id = await ask();
  const answers = await Promise.all([decide("approve", ben.token, id), decide("decline", ada.token, id)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await total()).toBe(answers[0]?.status === 200 ? 5000 : 0);
});

test("never posts a declined request, and adds an audit entry", async () => {
  for (const key of ["first", "second"]) await make(ada.token, 5000, { key });
  const id = (await list(ben.token)).items[1]?.id ?? "";
  expect(await decide("decline", ben.token, id)).toMatchObject({ status: 200, body: { id, state: "declined" } });
  expect((await list(ben.token)).items).toMatchObject([{ state: "waiting" }]);
  for (const verb of ["approve", "decline"] as const)
    expect(await decide(verb, ben.token, id)).toMatchObject(refused("This request was declined before."));
  expect(await total()).toBe(0);
  expect((await readAudit(db)).map(({ action }) => action).slice(1)).toEqual(["points.requested", "points.declined"]);
});

test("a request is void once its administrator loses the role, even if they get it back", async () => {
  const id = await ask();
  await removeAdministrator(api.deps, BY_OPERATOR, { member: ada.id });
  const isVoid = async () => {
    expect((await list(ben.token)).items).toMatchObject([{ id, state: "void" }]);
    expect(await decide("approve", ben.token, id)).toMatchObject(refused("has since lost the role"));
  };
  await isVoid();
  clock.advance(1000);
  await addAdministrator(api.deps, BY_OPERATOR, { member: ada.id });
  await isVoid();
  expect(await total()).toBe(0);
  expect(await decide("decline", ben.token, id)).toMatchObject({ status: 200 });
});

test("an approval that is concurrent with the loss of a role either posts the points or is refused", async () => {
  const id = await ask();
  const [approved] = await Promise.all([
    decide("approve", ben.token, id),
    removeAdministrator(api.deps, BY_OPERATOR, { member: ada.id }),
    removeAdministrator(api.deps, BY_OPERATOR, { member: ben.id }),
  ]);
  expect(await total()).toBe(approved.status === 200 ? 5000 : 0);
  expect([200, 403, 409]).toContain(approved.status);
});

test("a request expires after a week", async () => {
  const id = await ask();
  clock.advance(7 * DAY - 1);
  expect((await list(await signIn(ben))).items).toHaveLength(1);
  clock.advance(1);
  const token = await signIn(ben);
  expect((await list(token)).items).toEqual([]);
  expect((await list(token, "all")).items).toMatchObject([{ id, state: "expired" }]);
  expect(await decide("approve", token, id)).toMatchObject(refused("has expired"));
  expect(await total()).toBe(0);
});

test("repeating a request with the same key returns its current state", async () => {
  const again = async (token: string) => (await make(token, 5000)).body;
  const id = await ask();
  expect(await again(ada.token)).toMatchObject({ outcome: "already", state: "waiting" });
  clock.advance(8 * DAY);
  const [adas, bens] = [await signIn(ada), await signIn(ben)];
  expect(await again(adas)).toMatchObject({ outcome: "already", state: "expired" });
  await decide("decline", bens, id);
  expect(await again(adas)).toMatchObject({ outcome: "already", state: "declined" });
  expect((await make(adas, 500, { key: "another" })).body).toMatchObject({ outcome: "posted", state: "posted" });
  expect((await make(bens, 500, { key: "another" })).body).toMatchObject({ outcome: "already", state: "posted" });
  expect((await make(bens, 5000, { key: "june" })).body).toMatchObject({ outcome: "waiting", state: "waiting" });
  for (const key of ["another", "june"]) expect((await make(bens, 50, { key })).status).toBe(409);
  expect(await total()).toBe(500);
  // For another member the same keys are new. A key is new even if something other than an adjustment was posted under
  // it.
  const other = await seedMember(api.deps);
  const { email } = other.user;
  const timestamp = clock.now().toISOString();
  await api.read(sendHeartbeats, { token: other.token, body: { beats: [{ timestamp }] } });
  expect((await make(bens, 1, { key: timestamp, member: email })).body).toMatchObject({ outcome: "posted" });
  expect((await make(bens, 400, { key: "another", member: email })).body).toMatchObject({ outcome: "posted" });
  expect((await make(bens, 5000, { member: email })).body).toMatchObject({ outcome: "waiting" });
});

test("administrators cannot decide alone on their own points", async () => {
  expect((await make(ada.token, 1, { member: ada.id })).body).toMatchObject({ outcome: "waiting" });
  expect((await make(ada.token, 2000, { member: ben.id })).body).toMatchObject({ outcome: "waiting" });
  const { items } = await list(ben.token);
  const own = items.find((each) => each.member.id === ben.id)?.id ?? "";
  for (const verb of ["approve", "decline"] as const)
    expect(await decide(verb, ben.token, own)).toMatchObject(refused("are yours"));
  const hers = items.find((each) => each.member.id === ada.id)?.id ?? "";
  expect(await decide("approve", ben.token, hers)).toMatchObject({ status: 200 });
});

test("an administrator cannot approve a request from before they got the role", async () => {
  expect((await make(ada.token, 1_000_000, { member: ada.id })).body).toMatchObject({ outcome: "waiting" });
  clock.advance(60_000);
  const late = await seedAdministrator(api.deps, "puppet@example.com");
  const id = (await list(late.token)).items[0]?.id ?? "";
  expect(await decide("approve", late.token, id)).toMatchObject(refused("before you became an administrator"));
  expect((await decide("approve", ben.token, id)).body).toMatchObject({ state: "approved" });
});

test("an administrator can withdraw a request for their own points", async () => {
  await make(ada.token, 1, { member: ada.id });
  const [request] = (await list(ada.token)).items;
  expect(await decide("decline", ada.token, request?.id ?? "")).toMatchObject({ status: 200 });
});

test("refuses to take more points than there are, both at the request and at the approval", async () => {
  expect(await make(ada.token, -5000)).toMatchObject(refused("has 0 points in Rewards"));
  await make(ben.token, 1000, { key: "june" });
  expect((await make(ada.token, -1000, { key: "july" })).body).toMatchObject({ outcome: "posted" });
  await make(await signIn(ben), 5000, { key: "august" });
  const [request] = (await list(ada.token)).items;
  await decide("approve", ada.token, request?.id ?? "");
  expect((await make(ada.token, -5000, { key: "september" })).body).toMatchObject({ outcome: "waiting" });
  expect((await make(ada.token, -5000, { key: "october" })).body).toMatchObject({ outcome: "waiting" });
  const statuses: number[] = [];
  for (const { id } of (await list(ben.token)).items) statuses.push((await decide("approve", ben.token, id)).status);
  expect(statuses).toEqual([200, 409]);
  expect(await total()).toBe(0);
});

test("the database refuses an approval by the administrator who made the request", async () => {
  const id = await ask();
  const alone = db
    .update(adjustmentRequests)
    .set({ decision: "approved", decidedBy: sql`requested_by`, decidedAt: clock.now() })
    .where(eq(adjustmentRequests.id, id));
  await expect(alone).rejects.toMatchObject({ cause: { constraint: "adjustment_requests_second" } });
});

test.each([
  ["waiting", [2000, 2001, 2002, 2003, 2004]],
  ["all", [2004, 2003, 2002, 2001, 2000]],
] as const)("pages of %s requests follow on, even if the last request of one is deleted", async (show, order) => {
  // Two requests have the same time: one ends a page, and the other begins the next.
  for (const [nth, wait] of [1, 0, 1, 1, 1].entries())
    await make(ada.token, 2000 + nth, { key: `${nth}` }).then(() => clock.advance(wait));
  const seen: number[] = [];
  let after: string | undefined;
  do {
    const query = { show, limit: 2, after };
    const { items, next } = await api.read(contract.readAdjustmentRequests, { token: ben.token, query });
    seen.push(...items.map(({ points }) => points));
    after = next ?? undefined;
    // As if its member's account had been deleted.
    await db.delete(adjustmentRequests).where(eq(adjustmentRequests.id, items.at(-1)?.id ?? ""));
  } while (after);
  expect(seen).toEqual(order);
});

test("members cannot read, make or decide on adjustments", async () => {
  const id = await ask();
  const calls = [
    api.call(contract.readAdjustmentRequests, member),
    make(member.token, 5),
    decide("approve", member.token, id),
    decide("decline", member.token, id),
  ];
  for (const { status } of await Promise.all(calls)) expect(status).toBe(403);
});

test.each([
  [{ points: 0 }, 400],
  [{ points: 0.001 }, 400],
  [{ points: 1_000_001 }, 400],
  [{ points: 5, reason: " " }, 400],
  [{ points: 5, member: "nobody@example.com" }, 404],
])("refuses an invalid adjustment and changes nothing (%#)", async (wrong, status) => {
  expect((await make(ada.token, 1, wrong)).status).toBe(status);
  expect(await total()).toBe(0);
});
