import { sql, type SQLWrapper } from "drizzle-orm";
import { expect, test } from "vitest";
import * as z from "zod";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { findEntries as findAuditEntries } from "../administration/queries.ts";
import { inTransaction } from "../db/transaction.ts";
import * as members from "../member-administration/queries.ts";
import * as queries from "./queries.ts";

/* How an administrator's pages are read, so that they stay quick at a million members. */

const { api } = await openTestApi();
const { db } = api.deps;

type Plan = Record<string, unknown> & { Plans?: Plan[] };
const Explained = z.tuple([z.looseObject({ "QUERY PLAN": z.tuple([z.looseObject({ Plan: z.custom<Plan>() })]) })]);

/** Lists the tables that a statement reads entirely even though sequential scans are discouraged. */
async function findWholeReads(query: SQLWrapper): Promise<unknown[]> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute(sql`explain (format json) ${query}`);
    const [{ "QUERY PLAN": [{ Plan: plan }] }] = Explained.parse(rows); // prettier-ignore
    const scansOf = ({ Plans = [], ...own }: Plan): Omit<Plan, "Plans">[] => [own, ...Plans.flatMap(scansOf)];
    return scansOf(plan).flatMap((scan) => (scan["Node Type"] === "Seq Scan" ? [scan["Relation Name"]] : []));
  });
}

/**
 * Whether a statement sorts rows instead of reading them in the order of an index. Then a page would cost as much as
 * the whole list.
 */
async function isSorted(query: SQLWrapper): Promise<boolean> {
  const { rows } = await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_bitmapscan = off`);
    return tx.execute(sql`explain (format json) ${query}`);
  });
  return /"Node Type": ?"(?:Incremental )?Sort"/.test(JSON.stringify(rows));
}

const id = crypto.randomUUID();
const page = { after: undefined, limit: 26 };
const audit = { about: undefined, by: undefined, action: undefined, ...page };

test.each<[string, SQLWrapper]>([
  ["the latest members", members.listLatest(db, page)],
  ["further members", members.listLatest(db, { ...page, after: id })],
  ["members by the start of their address", members.findByPrefix(db, { ...page, prefix: "ada" })],
  [
    "further members by the start of their address",
    members.findByPrefix(db, { ...page, prefix: "ada", after: "ada@example.com" }),
  ],
  ["a member's ledger", members.findEntries(db, { userId: id, ...page })],
  [
    "a member's ledger, continued",
    members.findEntries(db, { userId: id, limit: 26, after: { at: "2026-01-01T00:00:00Z", id } }),
  ],
  ["the audit log", findAuditEntries(db, audit)],
  ["the audit log of an administrator", findAuditEntries(db, { ...audit, by: id })],
  ["the audit log of an action", findAuditEntries(db, { ...audit, action: "member.blocked", after: id })],
  ["the audit log about a member", findAuditEntries(db, { ...audit, about: { subject: "member", subjectId: id } })],
])("reads a page of %s in the order of an index", async (_, query) => {
  expect(await findWholeReads(query)).toEqual([]);
  expect(await isSorted(query)).toBe(false);
});

test.each<[string, SQLWrapper]>([
  ["a member by id", members.findNamed(db, { id })],
  ["a member by wallet", members.findNamed(db, { wallet: "0x" })],
  ["a member by code", members.findNamed(db, { code: "ABCDE" })],
  ["requests that wait for a decision", queries.describeWaiting(new Date())],
])("finds %s by an index", async (_, query) => {
  expect(await findWholeReads(query)).toEqual([]);
});

test("the job scans no whole table except the heartbeat totals", async () => {
  const day = queries.describeDay({ day: "2026-11-20", isToday: true, now: new Date() });
  expect(await findWholeReads(day)).toEqual(["heartbeat_totals"]);
});
