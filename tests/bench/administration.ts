import { sql } from "drizzle-orm";
import { OPERATOR } from "../../server/administration/actor.ts";
import { readAudit } from "../../server/administration/audit.ts";
import { openDatabase } from "../../server/db/client.ts";
import { createLog } from "../../server/log/log.ts";
import { findMembers, readMember } from "../../server/member-administration/service.ts";
import { readOverview, sumNetworkDays } from "../../server/network/service.ts";
import { createTestDeps } from "../support/api/api.ts";
import { startPostgres } from "../support/database/postgres.ts";
import { runOn } from "../support/database/test-database.ts";
import { readNumber, readOptions } from "../support/command-options.ts";
import { median, percentile } from "../support/percentile.ts";

/*
 * How long administrators wait in a network of a million members: each read of their pages on PostgreSQL, as the median
 * and the slowest of a hundred. Also how long the job that sums up the days takes, the first time and every time after.
 */
readOptions(
  "npm run bench:administration      what administrators wait for in a network of a million members; with BENCH_MEMBERS another number",
  {},
);

const MEMBERS = readNumber("BENCH_MEMBERS", process.env.BENCH_MEMBERS ?? "1000000");
const SAMPLES = 100;
const LIMIT_MS = 50;

const log = createLog({ level: "silent" });
const postgres = await startPostgres();
const database = await openDatabase({ databaseUrl: postgres.url, dataDir: "", log });
const { db } = database;
const deps = createTestDeps(database);

const idOf = (n: string) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
// Without the product's own time limits.
const fill = (statement: string) => runOn(postgres.url, statement);

console.log(`Filling a database with ${MEMBERS} members …`);
await fill(`insert into users (id, email, email_key, mailbox_key, personal_code, created_at)
  select ${idOf("n")}, mail, mail, mail, 'c' || n, now() - n * interval '30 seconds'
  from (select n, 'member-' || md5(n::text) || '@example.com' as mail from generate_series(1, ${MEMBERS}) n) as made`);
await fill(
  `insert into points_totals (user_id, connectivity) select ${idOf("n")}, n from generate_series(1, ${MEMBERS}) n`,
);
await fill(`insert into points_daily (user_id, day, category, points, entries)
  select ${idOf("n")}, (now() at time zone 'UTC')::date - day, 'Connectivity', 25, 1
  from generate_series(1, ${MEMBERS}) n, generate_series(0, 2) day`);
await fill(`insert into heartbeat_totals (user_id, heartbeats, last_beat_at)
  select ${idOf("n")}, n, now() - n * interval '1 second' from generate_series(1, ${MEMBERS}) n`);
await fill(`insert into audit_entries (id, at, actor, action, subject, subject_id, reason)
  select gen_random_uuid(), now(), 'operator', case when n % 5 = 0 then 'member.blocked' else 'whitelist.set' end, 'member',
    ${idOf("n")}::text, 'A bench' from generate_series(1, ${MEMBERS}) n`);
await fill("analyze");

const some = () => 1 + Math.floor(Math.random() * MEMBERS);
const { rows } = await db.execute<{ id: string; email: string }>(
  sql.raw(
    `select id, email from users where id in (${Array.from({ length: SAMPLES }, () => idOf(String(some()))).join(",")})`,
  ),
);

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function sumUp() {
  while (await sumNetworkDays(deps));
}
console.log(`The job, the first time: ${(await time(sumUp)).toFixed(0)} ms`);
console.log(`The job, once more:      ${(await time(() => sumNetworkDays(deps))).toFixed(0)} ms`);

const page = { limit: 25, after: undefined };
const reads: [string, (member: { id: string; email: string }) => Promise<unknown>][] = [
  ["overview", () => readOverview(deps, OPERATOR)],
  ["latest members", () => findMembers(deps, OPERATOR, page)],
  ["search by a whole address", ({ email }) => findMembers(deps, OPERATOR, { ...page, search: email })],
  ["search by six letters more", ({ email }) => findMembers(deps, OPERATOR, { ...page, search: email.slice(0, 13) })],
  ["search by what all begin with", () => findMembers(deps, OPERATOR, { ...page, search: "member" })],
  ["a page far down", ({ id }) => findMembers(deps, OPERATOR, { ...page, after: id })],
  ["a member", ({ id }) => readMember(deps, OPERATOR, { id })],
  ["audit log", () => readAudit(deps, OPERATOR, page)],
  ["audit log about a member", ({ id }) => readAudit(deps, OPERATOR, { ...page, about: id })],
  ["audit log of an action", () => readAudit(deps, OPERATOR, { ...page, action: "member.blocked" })],
  ["audit log of an administrator", ({ id }) => readAudit(deps, OPERATOR, { ...page, by: id })],
];

let isQuick = true;
for (const [name, read] of reads) {
  const times: number[] = [];
  for (const member of rows) times.push(await time(() => read(member)));
  const half = median(times);
  isQuick &&= half < LIMIT_MS;
  console.log(`${name.padEnd(32)} ${half.toFixed(1).padStart(7)} ms, slowest ${percentile(times, 1).toFixed(1)} ms`);
}

await database.close();
await postgres.stop();
if (!isQuick) throw new Error(`A read took more than ${LIMIT_MS} ms.`);
