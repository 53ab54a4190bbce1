import {
  readStats,
  readPointsHistory,
  readPointsLog,
  type PointsHistory,
  type PointsLog,
  type UserStats,
} from "../../server/points/contract.ts";
import { readDevices } from "../../server/heartbeats/contract.ts";
import { readReferrals, type Referrals } from "../../server/referrals/contract.ts";
import { readSessions } from "../../server/sessions/contract.ts";
import { sumPoints } from "../../server/points/amount.ts";
import { callApi } from "./call-api.ts";
import { BREACHES, TALLIES } from "./invariants.sql.ts";
import { Broken, liveSession, mayBeLockedOut, present, type Member } from "./model.ts";
import type { Random } from "./random.ts";
import { DAY } from "./steps/step.ts";
import type { World } from "./world.ts";

type Breach = { rule: string; what: string };
type Tally = {
  id: string;
  email: string;
  isErased: boolean;
  isBlocked: boolean;
  isWhitelisted: boolean;
  entries: Record<string, number>;
  audit: number;
};

/** What the previous check has seen: some of it may never shrink. */
export type Seen = { audit: number; entries: Map<string, number>; mails: number };
export const nothingSeen = (): Seen => ({ audit: 0, entries: new Map(), mails: 0 });

/** Throws Broken if a rule does not hold. No fault is active during the check. */
export async function checkAll(world: World, random: Random, seen: Seen): Promise<void> {
  const { pool } = world.database;
  const { rows: breaches } = await pool.query<Breach>({ name: "find_breaches", text: BREACHES });
  const [breach] = breaches;
  if (breach) throw new Broken(`It does not hold that ${breach.rule}: ${nameIn(world, breach.what)}`);
  const { rows } = await pool.query<Tally>({ name: "find_tallies", text: TALLIES });
  checkMembers(world, rows);
  checkGrowth(world, rows, seen);
  checkMails(world, seen);
  const member = random.pick(present(world.model));
  if (!member) return;
  const entries = await checkLedgerOf(world, member);
  if (random.chance(0.5)) await checkReads(world, random, { member, rows: entries });
}

/** Replaces ids by names, which mean more to the reader of a history. */
const nameIn = ({ model }: World, text: string) =>
  model.members.reduce((words, { id, name }) => words.replaceAll(id, name), text);

function checkMembers({ clock, model }: World, rows: Tally[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const member of model.members) {
    const { blocked, leaving, leavesAt, name, whitelisted } = member;
    const row = byId.get(member.id);
    if (!row) throw new Broken(`${name} was told to be a member and is not there`);
    byId.delete(member.id);
    if (row.isErased && !member.isErased) {
      if (leaving === "no" || clock.latest() < leavesAt) throw new Broken(`${name} was deleted and is to stay`);
      member.isErased = true;
    }
    if (member.isErased) continue;
    if (row.email !== member.email) throw new Broken(`${name} has another address`);
    if (blocked !== "unsure" && row.isBlocked !== (blocked === "yes"))
      throw new Broken(`${name} ${row.isBlocked ? "is" : "is not"} blocked, which nobody was told`);
    if (whitelisted !== "unsure" && row.isWhitelisted !== (whitelisted === "yes"))
      throw new Broken(`${name} ${row.isWhitelisted ? "is" : "is not"} on the whitelist, which nobody was told`);
  }
  const maybe = new Set(model.signUps.filter(({ isMaybe }) => isMaybe).map(({ email }) => email));
  for (const { email } of byId.values()) if (!maybe.has(email)) throw new Broken(`${email} is a member, untold`);
}

function checkGrowth({ model }: World, rows: Tally[], seen: Seen) {
  const audit = rows[0]?.audit ?? 0;
  if (audit < seen.audit) throw new Broken("the audit log has become shorter");
  seen.audit = audit;
  for (const { entries, id } of rows) {
    const {
      name = "somebody",
      isErased = true,
      entries: expected,
    } = model.members.find((each) => each.id === id) ?? {};
    for (const [source, count] of Object.entries(entries)) {
      const key = `${id} ${source}`;
      if (count < (seen.entries.get(key) ?? 0)) throw new Broken(`the ledger of ${name} has become shorter`);
      seen.entries.set(key, count);
    }
    if (isErased || !expected) continue;
    const most = countBySource(expected.keys());
    const sure = countBySource([...expected].filter(([, { isSure }]) => isSure).map(([entry]) => entry));
    for (const source of new Set([...Object.keys(entries), ...sure.keys()])) {
      const count = entries[source] ?? 0;
      if (count < (sure.get(source) ?? 0))
        throw new Broken(`${name} was told of ${sure.get(source)} entries of ${source}, and has ${count}`);
      // Nobody requests the entries that come with an invitation: the database's rules check those.
      if (source !== "referral" && count > (most.get(source) ?? 0))
        throw new Broken(`${name} has ${count} entries of ${source}, and has asked for ${most.get(source) ?? 0}`);
    }
  }
}

function countBySource(entries: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const source = entry.split(":")[0] ?? "";
    counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  return counts;
}

/** Checks that an email which is known to have been handed over is not sent again. */
function checkMails({ parties }: World, seen: Seen) {
  for (const { id, subject, to } of parties.mails.slice(seen.mails)) {
    const twins = parties.mails.filter((mail) => mail.id === id);
    if (twins.length > 1 && !parties.unsureMails.has(id)) throw new Broken(`"${subject}" went to ${to} twice`);
    if (twins.some((twin) => twin.to !== to)) throw new Broken(`"${subject}" went to two people`);
  }
  seen.mails = parties.mails.length;
}

type Row = { id: string; key: string; source: string; points: number };
const ENTRIES = `select id, source || ':' || source_id as key, source, points::float as points
  from points_ledger where user_id = $1`;

/** Checks every entry by its event and amount: acknowledged ones are there, and nothing that nobody requested. */
export async function checkLedgerOf({ database }: World, { entries, id, isErased, name }: Member): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(ENTRIES, [id]);
  // The events of a deleted member are anonymous.
  if (isErased) return rows;
  const found = new Map(rows.map((row) => [row.key, row]));
  for (const [key, { isSure, points }] of entries) {
    const row = found.get(key);
    if (!row && isSure) throw new Broken(`${name} was told of ${key}, which is not in the ledger`);
    const isAnother = row && !Number.isNaN(points) && row.points !== points;
    if (isAnother) throw new Broken(`${name} has ${row.points} points for ${key} in place of ${points}`);
  }
  const unasked = rows.find(({ key, source }) => source !== "referral" && !entries.has(key));
  if (unasked) throw new Broken(`${name} has ${unasked.key} in the ledger, which nobody asked for`);
  return rows;
}

const ALL_DAYS = { startDate: "2026-06-01", endDate: "2027-05-31" };

/** Checks that what a member is shown is theirs, and is the same everywhere. */
async function checkReads(world: World, random: Random, { member, rows }: { member: Member; rows: Row[] }) {
  const session = liveSession(member, random);
  if (!session || mayBeLockedOut(member, world.clock.latest() + DAY)) return;
  const { token } = session;
  const read = async <Body>(endpoint: Parameters<typeof callApi>[2], query = {}) =>
    (await callApi<Body>(world, random, endpoint, { token, query })).body;
  const stats = await read<UserStats>(readStats);
  // The session may have expired.
  if (!stats.user_id) return;
  const { name } = member;
  const fail = (what: string) => {
    throw new Broken(`${name} is shown ${what}`);
  };
  if (stats.user_id !== member.id) fail(`the points of ${nameIn(world, stats.user_id)}`);
  const chart = await read<PointsHistory>(readPointsHistory, ALL_DAYS);
  const log = await read<PointsLog>(readPointsLog, { limit: 100 });
  const points = sumPoints(rows.map((row) => row.points));
  const shown = {
    total: stats.points_total,
    breakdown: sumPoints(stats.points_breakdown.map(({ value }) => value ?? 0)),
    chart: chart.pointsTotal,
    log: log.pointsTotal,
  };
  for (const [place, value] of Object.entries(shown))
    if (value !== points) fail(`${value} points in ${place}, and has ${points}`);
  if (log.total !== rows.length) fail(`${log.total} entries, and has ${rows.length}`);
  const own = new Map(rows.map((row) => [row.id, row.points]));
  const strange = log.data.find((entry) => own.get(entry.id ?? "") !== entry.points);
  if (strange) fail(`an entry that is not theirs, or not so: ${strange.comment}`);
  if (random.chance(0.2)) await checkLists(world, member, read, fail);
}

type Read = <Body>(endpoint: Parameters<typeof callApi>[2], query?: object) => Promise<Body>;

async function checkLists({ database }: World, { id }: Member, read: Read, fail: (what: string) => void) {
  const { referrals } = await read<Referrals>(readReferrals, { limit: 25 });
  const { sessions } = await read<{ sessions: { id: string }[] }>(readSessions);
  const { devices } = await read<{ devices: { id: string }[] }>(readDevices);
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from referrals where inviter_id = $1 union all select id from sessions where user_id = $1
     union all select id from node_devices where user_id = $1`,
    [id],
  );
  const own = new Set(rows.map((row) => row.id));
  const strange = [...referrals, ...sessions, ...devices].find((each) => !own.has(each.id));
  if (strange) fail("a row of somebody else");
}
