import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { takeConnections } from "../../tests/support/database/take-connections.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { readNetworkJobs } from "../agent-insights/contract.ts";
import { inTransaction } from "../db/transaction.ts";
import { isCallerQueueFull } from "../db/unavailable.ts";
import { MAX_BEATS_PER_BATCH, sendHeartbeats } from "../heartbeats/contract.ts";
import type { Endpoint } from "../http/contract.ts";
import {
  createSmartAccount,
  readSmartAccountConsent,
  requestMachineId,
  updateMachineIdSignature,
} from "../machine-id/contract.ts";
import { explainError } from "../http/explain-error.ts";
import { exportPointsLog, readStats as readStatsCall } from "../points/contract.ts";
import { readStats } from "../points/service.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { LIMITS, type LimitRule } from "../rate-limits/rules.ts";
import { runAsCaller } from "./caller.ts";

// The clock stands still, because limits recover as time passes.
const { api, clock, database } = await openTestApi();
const { db } = api.deps;

/**
 * Opens all connections of the pool. Otherwise the open ones would go on with other callers' work while one is being
 * opened.
 */
async function openConnections() {
  const giveBack = await takeConnections(database.pool);
  giveBack();
}

test("a member with many concurrent calls does not hold up another member", async () => {
  const [mallory, ada] = [await seedMember(api.deps), await seedMember(api.deps)];
  await openConnections();
  const answered: string[] = [];
  const ask = async (name: string, endpoint: Endpoint, token: string) => {
    const { status } = await api.call(endpoint, { token, clientAddress: `of ${name}` });
    answered.push(`${name} ${status}`);
  };
  const many = Array.from({ length: 60 }, () => ask("mallory", readNetworkJobs, mallory.token));
  await Promise.all([...many, ask("ada", readStatsCall, ada.token)]);

  expect(answered).toHaveLength(61);
  // Hers was the last of 61 calls. In order of arrival, only the calls on the other connections could finish after
  // hers. When callers take turns, how many finish before hers depends on the machine.
  expect(answered.indexOf("ada 200")).toBeLessThan(50);
});

test("rejects a caller's queries beyond the queue limit, and still answers another caller's", async () => {
  const [mallory, ada] = [await seedMember(api.deps), await seedMember(api.deps)];
  const ask = (userId: string) => runAsCaller(userId, () => readStats(api.deps, userId));
  const [answers, other] = await Promise.all([
    Promise.allSettled(Array.from({ length: 1100 }, () => ask(mallory.user.id))),
    ask(ada.user.id),
  ]);
  expect(other).toMatchObject({ user_id: ada.user.id });
  const failures = answers.flatMap((answer) =>
    answer.status === "rejected" && answer.reason instanceof Error ? [answer.reason] : [],
  );
  // All but the calls that may wait and those that have a connection. On a busy machine, some of these wait too long.
  const beyondQueue = failures.filter(isCallerQueueFull);
  expect(beyondQueue).toHaveLength(1100 - 1000 - (database.engine === "postgres" ? 5 : 1));
  const told = explainError(beyondQueue[0] ?? new Error("none"), api.deps.log);
  expect([told.status, told.retryAfter]).toEqual([503, 5]);
});

test("concurrent transactions of many callers all end and return their connections", async () => {
  const work = Array.from({ length: 60 }, (_, index) =>
    runAsCaller(`caller ${index % 3}`, () =>
      inTransaction(db, async (tx) => {
        await tx.execute("select 1");
        if (index % 5 === 0) throw new Error("changed its mind");
        await tx.execute("select 2");
      }),
    ).then(
      () => "done",
      () => "failed",
    ),
  );
  const ends = await Promise.all(work);
  expect(ends.filter((end) => end === "failed")).toHaveLength(12);
  expect(database.pool.waitingCount).toBe(0);
  await expect(inTransaction(db, () => db.execute("select 1"))).rejects.toMatchObject({
    cause: { message: expect.stringContaining("Inside a transaction") },
  });
  expect((await runAsCaller("caller 0", () => db.execute("select 3 as three"))).rows).toEqual([{ three: 3 }]);
});

const limited: [string, LimitRule, Endpoint][] = [
  ["the log as a file", LIMITS.logExportByAccount, exportPointsLog],
  ["a Machine ID", LIMITS.machineIdByAccount, requestMachineId],
  ["a Machine ID with a signature", LIMITS.machineIdByAccount, updateMachineIdSignature],
  ["a Smart Account", LIMITS.machineIdByAccount, createSmartAccount],
  ["the message to sign for a Smart Account", LIMITS.machineIdByAccount, readSmartAccountConsent],
];

test.each(limited)("limits how often each member may request %s", async (_, rule, endpoint) => {
  const [mallory, ada] = [await seedMember(api.deps), await seedMember(api.deps)];
  const ask = async (token: string) => (await api.call(endpoint, { token })).status;
  for (let index = 0; index < rule.burst; index++) expect(await ask(mallory.token)).not.toBe(429);
  expect(await ask(mallory.token)).toBe(429);
  expect(await ask(ada.token)).not.toBe(429);
});

test("counts a long batch in pieces of 250, and rate limits long batches but not short ones", async () => {
  const [mallory, ada] = [await seedMember(api.deps), await seedMember(api.deps)];
  const interval = api.deps.env.heartbeatIntervalSeconds * 1000;
  const beats = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      timestamp: new Date(clock.now().getTime() - index * interval).toISOString(),
    }));
  const send = (token: string, count: number) => api.call(sendHeartbeats, { token, body: { beats: beats(count) } });

  const { body } = await send(ada.token, MAX_BEATS_PER_BATCH);
  expect(body).toMatchObject({ accepted: MAX_BEATS_PER_BATCH, duplicates: 0, heartbeats: MAX_BEATS_PER_BATCH });
  expect(await checkLedger(db)).toEqual([]);
  // Each piece is a transaction, and rows of one transaction have the same xmin.
  const { rows: pieces } = await db.execute<{ beats: number }>(
    sql`select count(*)::int as beats from heartbeats where user_id = ${ada.user.id} group by xmin::text`,
  );
  expect(pieces.map(({ beats }) => beats)).toEqual([250, 250, 250, 250]);

  for (let index = 0; index < LIMITS.beatBatchByAccount.burst; index++) await send(mallory.token, 30);
  expect((await send(mallory.token, 30)).status).toBe(429);
  expect((await send(mallory.token, 10)).status).toBe(200);
  expect((await send(ada.token, 30)).status).toBe(200);
});
