import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { createTestApi, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createAccount, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { readEventsOf } from "../../tests/support/api/event-reader.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { sendJobResults } from "../agent-insights/contract.ts";
import { MAX_AGE_MS } from "../heartbeats/beat-window.ts";
import { registerDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { countBeats } from "../heartbeats/service.ts";
import { readStats } from "../points/contract.ts";
import { updateProfile } from "../profile/contract.ts";
import { releaseHeld } from "../referrals/review.ts";
import { keepAccount, requestDeletion } from "../account-data/contract.ts";
import { erasePersonalData } from "../account-data/erase.queries.ts";
import { settleReferral } from "../referrals/queries.ts";
import { recordReferral } from "../referrals/service.ts";
import { OPERATOR } from "../administration/actor.ts";
import { claimReward } from "../rewards/contract.ts";
import { completeCampaign } from "../campaigns/completions.ts";
import { saveCampaigns } from "../campaigns/service.ts";
import { logout, SESSION_IDLE_SECONDS } from "../sessions/contract.ts";
import { startSession } from "../sessions/service.ts";
import { LivePart, readEvents } from "./contract.ts";
import { findStates } from "./queries.ts";

const { api, clock, database } = await openTestApi();
/** Another process on the same database. */
const elsewhere = createTestApi(database, { now: clock.now });

const open: ReturnType<typeof readEventsOf>[] = [];
afterEach(() => Promise.all(open.splice(0).map((events) => events.leave())));

async function connect(token: string, lastEventId?: string) {
  const response = await api.fetch(
    new Request(`http://api.test${readEvents.path}`, {
      headers: { Authorization: `Bearer ${token}`, ...(lastEventId && { "Last-Event-ID": lastEventId }) },
    }),
  );
  expect(response.status).toBe(200);
  const events = readEventsOf(response);
  open.push(events);
  return { ...events, response };
}

/** Collects all changes until each of these parts has changed. */
async function changesOf(events: Pick<ReturnType<typeof readEventsOf>, "next">, ...parts: LivePart[]) {
  const seen = new Set<LivePart>();
  let stats: unknown;
  while (!parts.every((part) => seen.has(part))) {
    const event = await events.next();
    if (!event) throw new Error(`The stream ended after ${[...seen].join(", ") || "nothing"}`);
    for (const part of event.data.changed) seen.add(part);
    stats = event.data.stats;
  }
  return { parts: [...seen].sort(), stats };
}

const beat = (token: string, minutes = 0) =>
  elsewhere.read(sendHeartbeats, {
    token,
    body: { beats: [{ timestamp: new Date(clock.now().getTime() - minutes * 60_000).toISOString() }] },
  });

async function beatHundredTimes(userId: string) {
  const beats = hourlyBeats(userId, 100, clock.now());
  await inTransaction(database.db, (tx) => countBeats(tx, beats, api.deps.env));
}

test("sends the current state at once, with headers against caching and buffering", async () => {
  const { token } = await seedMember(api.deps);
  await beat(token);

  const { next, nextBlock, response } = await connect(token);

  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  expect(await nextBlock()).toMatch(/^retry: [1-4]\d{3}$/);
  expect(await next()).toEqual({
    id: expect.stringMatching(/^[\da-z]+(-[\da-z]+){6}$/),
    data: { changed: [], stats: await api.read(readStats, { token }) },
  });
});

test("a heartbeat received by another process sends the new stats only to its member", async () => {
  const [ana, ben] = [await seedMember(api.deps), await seedMember(api.deps)];
  const [hers, his] = [await connect(ana.token), await connect(ben.token)];
  await Promise.all([hers.next(), his.next()]);

  await beat(ana.token);
  expect(await hers.next()).toMatchObject({
    data: { changed: ["points", "heartbeats"], stats: { user_id: ana.user.id, points_total: 25, heartbeats: 1 } },
  });
  await beat(ben.token);
  expect((await his.next())?.data.stats).toMatchObject({ user_id: ben.user.id, heartbeats: 1 });
});

test("the heartbeat reward claimed in another process is reported like a campaign's claim", async () => {
  const { token, user } = await seedMember(api.deps);
  await beatHundredTimes(user.id);
  const events = await connect(token);
  await events.next();
  await elsewhere.read(claimReward, { token, params: { id: "heartbeat" } });
  expect(await events.next()).toMatchObject({ data: { changed: ["points", "rewards"] } });
});

test("reports which part has changed: heartbeats, profile, rewards, points, referrals or content", async () => {
  const [{ token, user }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  const [events, beside] = [await connect(token), await connect(other.token)];
  await Promise.all([events.next(), beside.next()]);

  await beat(token, 60 * 24 * 30);
  expect(await changesOf(events, "heartbeats")).toMatchObject({ parts: ["heartbeats"], stats: { heartbeats: 0 } });

  clock.advance(1000);
  await api.read(updateProfile, { token, body: { full_name: "Ana" } });
  expect((await changesOf(events, "profile")).parts).toEqual(["profile"]);

  const campaign = { id: "first", name: "First", type: "form", formUrl: "https://forms.example", taskNumber: 1 };
  await inTransaction(database.db, async (tx) => {
    await saveCampaigns(tx, [{ ...campaign, bonusPoints: 500, mandatory: false, buttonText: null }]);
    await completeCampaign(tx, { userId: user.id, campaignId: "first", at: clock.now() });
  });
  expect((await changesOf(events, "rewards")).parts).toEqual(["rewards"]);
  await api.read(claimReward, { token, params: { id: "first" } });
  const claimed = await changesOf(events, "points", "rewards");
  expect(claimed).toMatchObject({ parts: ["points", "rewards"], stats: { points_total: 500 } });

  const friend = await seedMember(api.deps, { wallet: "0xfriend" });
  await inTransaction(database.db, (tx) =>
    recordReferral(tx, { inviterId: user.id, inviteeId: friend.user.id, at: clock.now() }),
  );
  expect((await changesOf(events, "referrals")).parts).toEqual(["referrals"]);
  await beatHundredTimes(friend.user.id);
  expect((await changesOf(events, "referrals")).parts).toEqual(["referrals"]);

  const items = [{ kind: "post", reference: "one", title: "A post" }];
  const jobs = [{ jobId: "one", finishedAt: clock.now().toISOString(), resultSize: 1, items }];
  await elsewhere.read(sendJobResults, { token, body: { jobs } });
  expect((await changesOf(events, "content")).parts).toEqual(["content", "points"]);

  // None of these changes concerned the other member.
  await beat(other.token);
  expect((await beside.next())?.data).toMatchObject({ changed: ["points", "heartbeats"], stats: { heartbeats: 1 } });
});

/** Returns what has changed for a member who reconnects. Always includes a beat. */
async function missed(token: string, happen: () => Promise<unknown>): Promise<LivePart[] | undefined> {
  const seen = await (await connect(token)).next();
  await happen();
  await beat(token);
  return (await (await connect(token, seen?.id)).next())?.data.changed;
}

test("keeping an account on one device is reported to the member's other devices", async () => {
  const { token, user } = await seedMember(api.deps);
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  clock.advance(1000);
  expect(await missed(token, () => elsewhere.read(keepAccount, { token: other }))).toContain("profile");
});

test("a node's job is reported even if it finished days ago and gathered nothing", async () => {
  const { token } = await seedMember(api.deps);
  const finishedAt = new Date(clock.now().getTime() - MAX_AGE_MS).toISOString();
  const body = { jobs: [{ jobId: "late", finishedAt, resultSize: 0, items: [] }] };
  const changed = await missed(token, () => elsewhere.read(sendJobResults, { token, body }));
  expect(changed).toEqual(["points", "heartbeats", "content"]);
});

test.each([false, true])(
  "a held invitation is reported once it can be claimed (the friend has left: %s)",
  async (hasLeft) => {
    const { token, user } = await seedMember(api.deps, { email: "ada@example.com" });
    const friend = await seedMember(api.deps, { email: "ada+2@example.com", wallet: "0xfriend" });
    const invitation = { inviterId: user.id, inviteeId: friend.user.id, at: clock.now() };
    const id = (await inTransaction(database.db, (tx) => recordReferral(tx, invitation))) ?? "";
    await beatHundredTimes(friend.user.id);
    if (hasLeft) await leave(friend.user.id);
    const act = { actor: OPERATOR, reason: "Looked at by hand" };
    const changed = await missed(token, () => releaseHeld(elsewhere.deps, act, { id }));
    expect(changed).toEqual(["points", "heartbeats", "referrals"]);
  },
);

/** Does what the end of an account does for the member's inviter. */
const leave = (userId: string) =>
  inTransaction(database.db, async (tx) => {
    await settleReferral(tx, { inviteeId: userId, at: clock.now() });
    await erasePersonalData(tx, { userId, now: clock.now() });
  });

test("a reader who reconnects is told at once what has changed in the meantime", async () => {
  const { token } = await seedMember(api.deps);
  const before = await connect(token);
  const seen = await before.next();
  await before.leave();
  await beat(token);

  const back = await connect(token, seen?.id);
  const news = await back.next();
  expect(news?.data.changed).toEqual(["points", "heartbeats"]);

  const again = await connect(token, news?.id);
  expect(await again.nextBlock()).toMatch(/^retry: /);
  // A comment, which is all that a stream says while nothing changes.
  expect(await again.nextBlock()).toMatch(/^:/);
  await beat(token, 60);
  expect((await changesOf(again, "heartbeats")).stats).toMatchObject({ heartbeats: 2 });
});

test.each(["-", "anything", "1-2-3-4-5-6-7-8"])("an id such as '%s' reports every part as changed", async (id) => {
  const { token } = await seedMember(api.deps);
  const { next } = await connect(token, id);
  expect((await next())?.data.changed).toEqual(LivePart.options);
});

test("a new day starts without points", async () => {
  const { token } = await seedMember(api.deps);
  await beat(token);
  const events = await connect(token);
  expect((await events.next())?.data.stats.points_today).toBe(25);

  clock.advance(12 * 3_600_000);
  expect((await changesOf(events, "points")).stats).toMatchObject({ points_today: 0, points_total: 25 });

  // Nothing happens on this day or the next, but the charts of points and of content go on to each new day.
  clock.advance(24 * 3_600_000);
  expect(await events.next()).toMatchObject({
    data: { changed: ["points", "content"], stats: { points_today: 0, today: "2026-11-22" } },
  });
});

test("ends with its session, without ending the member's other streams", async () => {
  const { token, user } = await seedMember(api.deps);
  const { token: another } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  const [ending, staying] = [await connect(token), await connect(another)];
  await Promise.all([ending.next(), staying.next()]);

  await elsewhere.call(logout, { token });
  expect(await ending.next()).toBeUndefined();
  await beat(another);
  expect((await staying.next())?.data.stats.heartbeats).toBe(1);

  clock.advance(SESSION_IDLE_SECONDS * 1000);
  expect(await staying.next()).toBeUndefined();
});

test("rejects visitors, unknown tokens, device keys, other methods and a long Last-Event-ID", async () => {
  const { token } = await seedMember(api.deps);
  expect((await api.call(readEvents)).status).toBe(401);
  expect((await api.call(readEvents, { token: "nb_unknown" })).status).toBe(401);
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "Attic" } });
  expect((await api.call(readEvents, { token: deviceKey })).status).toBe(401);
  expect((await api.call(`POST ${readEvents.path}`, { token })).status).toBe(405);
  expect((await api.call(readEvents, { token, headers: { "Last-Event-ID": "x".repeat(201) } })).status).toBe(400);
});

test("reports a Smart Account when it is queued and when it is created", async () => {
  const member = await seedChainMember(elsewhere.deps);
  const events = await connect(member.token);
  await events.next();

  await createAccount(elsewhere, member);
  expect(await changesOf(events, "machine-id")).toMatchObject({ parts: ["machine-id"] });

  await elsewhere.deps.chain.advance();
  expect(await changesOf(events, "machine-id")).toMatchObject({ parts: ["machine-id"] });
});

test("reads only the unclaimed invitations of a member with many friends", async () => {
  const { user } = await seedMember(api.deps);
  await database.db.execute(sql`
    with friends as (
      insert into users (id, email, email_key, password_hash)
      select gen_random_uuid(), n || '@friends.test', n || '@friends.test', 'x' from generate_series(1, 2000) as n
      returning id
    )
    insert into referrals (inviter_id, id, invitee_id, invited_points, invited_at, claimed_at)
    select ${user.id}::uuid, gen_random_uuid(), id, 1000, now(), now() from friends`);
  await database.db.execute(sql`analyze`);
  const at = clock.now().toISOString();
  const times = { now: at, idleSince: at, dueSince: at, today: "2026-11-20", reportedFrom: "2026-11-20" };
  const given: Record<string, unknown> = { userIds: [user.id], sessionIds: [crypto.randomUUID()], ...times };
  const { params, sql: text } = findStates(database.db).getQuery();
  const values = params.map((param) => given[(param as { name: string }).name]);
  const { rows } = await database.pool.query(`explain ${text}`, values);
  expect(JSON.stringify(rows)).toContain("referrals_open");
});
