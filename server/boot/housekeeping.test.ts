import { lt, sql, type SQLWrapper } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { findByRecipient, findUnaddressed } from "../account-data/waiting-mail.queries.ts";
import { countJobs } from "../agent-insights/jobs.ts";
import { botCheckUses, jobs, jobsDaily, webhookMessages } from "../db/schema.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { inTransaction } from "../db/transaction.ts";
import { describeTaking } from "../jobs/queries.ts";
import { lockDueChecks as takeSilent } from "../silence-mail/queries.ts";
import { readEnv } from "../env.ts";
import { describeSchedules } from "./background.ts";
import { listPruned, pruneExpired } from "./housekeeping.ts";
import { selectOver } from "../jobs/prune.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

type Plan = Record<string, unknown> & { Plans?: Plan[] };
const Explained = z.tuple([z.looseObject({ "QUERY PLAN": z.tuple([z.looseObject({ Plan: z.custom<Plan>() })]) })]);

/**
 * Returns the scans of a statement that read more rows than their index names, if reading a whole table is the last
 * resort. A statement without such scans reads no row in vain, however full the tables are. One that locks rows checks
 * the index's own `predicate` once more, which does not count.
 */
async function findVainScans(query: SQLWrapper, predicate?: string): Promise<string[]> {
  return inTransaction(database.db, async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute(sql`explain (format json) ${query}`);
    const [{ "QUERY PLAN": [{ Plan: plan }] }] = Explained.parse(rows); // prettier-ignore
    return scansOf(plan)
      .filter((scan) => isVain(scan) && scan.Filter !== predicate)
      .map((scan) => JSON.stringify(scan));
  });
}

const scansOf = ({ Plans = [], ...plan }: Plan): Omit<Plan, "Plans">[] => [
  ...(String(plan["Node Type"]).endsWith("Scan") ? [plan] : []),
  ...Plans.flatMap(scansOf),
];

/** Whether a scan reads rows in vain. A bitmap gets its rows from the scans below it, and a Tid Scan names its row. */
function isVain({ "Node Type": type, Filter: filter, "Index Cond": condition }: Plan): boolean {
  if (type === "Bitmap Heap Scan") return filter !== undefined;
  if (type === "Bitmap Index Scan") return condition === undefined;
  if (type === "Index Scan" || type === "Index Only Scan") return condition === undefined || filter !== undefined;
  return type === "Seq Scan";
}

const now = new Date();

const OF_NOBODY = "(user_id = '00000000-0000-0000-0000-000000000000'::uuid)";

test.each(Object.entries(listPruned(readEnv({}))))("finds expired rows of %s by an index", async (_, prunable) => {
  expect(await findVainScans(selectOver(prunable, now), OF_NOBODY)).toEqual([]);
});

test("finds due jobs, due silence emails and a member's queued emails by an index", async () => {
  const { db } = database;
  const kinds = { mail: { atOnce: 1, lease: 1, backOff: { first: 1, longest: 1 }, run: async () => {} } };
  expect(await findVainScans(describeTaking({ kinds, now, inHand: [] }), "(dead_at IS NULL)")).toEqual([]);
  expect(await findVainScans(takeSilent(db, { now, limit: 100 }))).toEqual([]);
  expect(await findVainScans(findByRecipient(db, [Buffer.alloc(32)]))).toEqual([]);
  expect(await findVainScans(findUnaddressed(db, "a"))).toEqual([]);
});

const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000);

test("deletes finished jobs after JOB_RETENTION_DAYS and keeps their daily totals", async () => {
  const { db } = database;
  const deps = createTestDeps(database, { now: () => now });
  const { user } = await seedMember(deps);
  const finished = [399, 401].map((days) => {
    const at = daysAgo(days);
    return { userId: user.id, reference: `${days}`, finishedAt: at, receivedAt: at, resultSize: 1, items: [] };
  });
  await inTransaction(db, (tx) => countJobs(tx, finished, { contentPointsPerDay: 1 }));
  const prune = (settings: Record<string, string>) => pruneExpired({ ...deps, env: readEnv(settings) });
  expect(await prune({ JOB_RETENTION_DAYS: "402" })).toMatchObject({ finishedJobs: 0 });
  expect(await prune({})).toMatchObject({ finishedJobs: 1 });
  expect((await db.select().from(jobs)).map(({ reference }) => reference)).toEqual(["399"]);
  expect(await db.$count(jobsDaily)).toBe(2);
});

test("remembers the messages of a campaign platform for 30 days, in which it may send them again", async () => {
  const { db } = database;
  const received = [daysAgo(30), new Date(daysAgo(30).getTime() - 1)];
  await db.insert(webhookMessages).values(received.map((receivedAt, index) => ({ id: `${index}`, receivedAt })));
  expect(await pruneExpired(createTestDeps(database, { now: () => now }))).toMatchObject({ webhookMessages: 1 });
  expect((await db.select().from(webhookMessages)).map(({ id }) => id)).toEqual(["0"]);
});

test("keeps rows that have expired only by a fast clock", async () => {
  const { db } = database;
  const hour = 60 * 60_000;
  const deps = createTestDeps(database, { now: () => new Date(Date.now() + 2 * hour) });
  await db.insert(botCheckUses).values([
    { tokenId: "over", expiresAt: new Date(Date.now() - hour) },
    { tokenId: "not over", expiresAt: new Date(Date.now() + hour) },
  ]);
  let known = 0;
  const release = async () => void (known = await db.$count(botCheckUses));
  await describeSchedules(deps, { ...createEmbeddedProvider(deps), release })["tidy-up"]?.run();
  // The rows that say which sessions to end elsewhere stay until those have ended.
  expect(known).toBe(2);
  expect((await db.select().from(botCheckUses)).map(({ tokenId }) => tokenId)).toEqual(["not over"]);
});

test("tidy-up runs again immediately if more rows have expired than it deletes in one run", async () => {
  const deps = createTestDeps(database, { now: () => now });
  const uses = Array.from({ length: 5001 }, (_, index) => ({ tokenId: `${index}`, expiresAt: daysAgo(1) }));
  await database.db.insert(botCheckUses).values(uses);
  const tidyUp = describeSchedules(deps, createEmbeddedProvider(deps))["tidy-up"];
  expect(await tidyUp?.run()).toEqual({ again: 0 });
  expect(await tidyUp?.run()).toBeUndefined();
  expect(await database.db.$count(botCheckUses, lt(botCheckUses.expiresAt, now))).toBe(0);
});
