import { drizzle } from "drizzle-orm/node-postgres";
import { Client, escapeLiteral, Pool, type QueryConfig } from "pg";
import type { Db } from "../../server/db/client.ts";
import * as schema from "../../server/db/schema.ts";
import { PointsLogQuery } from "../../server/points/contract.ts";
import { readPointsHistory, readPointsLog, readStats } from "../../server/points/service.ts";

/*
 * The product's reads of the ledger through its own services and prepared statements. Also lets the database explain
 * the same statements, as prepared by the connection.
 */

type Reader = { db: Db; now: () => Date };
export type Read = (reader: Reader, userId: string) => Promise<unknown>;

const log = (query: Record<string, unknown> = {}) => {
  const asked = PointsLogQuery.parse(query);
  return (reader: Reader, userId: string) => readPointsLog(reader, userId, asked);
};

/** Reads the last page of a member, whichever that is. */
const lastPage =
  (query: Record<string, unknown> = {}): Read =>
  async (reader, userId) => {
    const asked = PointsLogQuery.parse(query);
    const known = await knownTotal(reader, userId, asked);
    return readPointsLog(reader, userId, { ...asked, page: Math.max(Math.ceil(known / asked.limit), 1) });
  };

const totals = new WeakMap<Db, Map<string, number>>();

/** Returns how many entries there are. Counts them only the first time, because only the page is to be measured. */
async function knownTotal(reader: Reader, userId: string, query: PointsLogQuery): Promise<number> {
  const known = totals.get(reader.db) ?? new Map<string, number>();
  totals.set(reader.db, known);
  const key = `${userId} ${JSON.stringify(query)}`;
  const total = known.get(key) ?? (await readPointsLog(reader, userId, query)).total;
  known.set(key, total);
  return total;
}

/** Returns a month of last year that begins and ends in the middle of a day. */
const monthBefore = (now: Date) => ({
  startDate: new Date(now.getTime() - 400.5 * 86_400_000).toISOString(),
  endDate: new Date(now.getTime() - 370.5 * 86_400_000).toISOString(),
});

export const listReads = (now: Date): Record<string, Read> => ({
  stats: readStats,
  "history, 7 days": (reader, userId) => readPointsHistory(reader, userId, { range: "last7days" }),
  "history, 30 days": (reader, userId) => readPointsHistory(reader, userId, { range: "last30days" }),
  "history, 90 days": (reader, userId) => readPointsHistory(reader, userId, { range: "last90days" }),
  "log, first page": log(),
  "log, first page of Rewards": log({ category: "Rewards" }),
  "log, first page of Others": log({ category: "Others" }),
  "log, first page of a month": log(monthBefore(now)),
  "log, last page": lastPage(),
  "log, last page of Others": lastPage({ category: "Others" }),
});

/** Records the last query sent. */
class NotingClient extends Client {
  static last: QueryConfig | undefined;

  /** Called by the pool with or without values, and with a callback. */
  override query(...given: unknown[]): never {
    const [config, values] = given as [QueryConfig | string, unknown[]];
    if (typeof config === "object" && config.name) NotingClient.last = { ...config, values };
    return super.query(...(given as [QueryConfig, unknown[]])) as never;
  }
}

export type Times = {
  /** Times in milliseconds: in the database, including planning, and until the service has its result. */
  inDatabase: number;
  roundTrip: number;
};

/** Opens one connection like those of the server. */
export function openReader(connectionString: string, now: Date) {
  const pool = new Pool({ connectionString, max: 1, Client: NotingClient });
  const reader: Reader = { db: drizzle(pool, { schema }), now: () => now };

  async function explain(options: string) {
    const { name, values = [] } = NotingClient.last ?? {};
    const given = values.map(toLiteral).join(", ");
    const { rows } = await pool.query<Record<"QUERY PLAN", unknown>>(`explain (${options}) execute ${name}(${given})`);
    return rows.map((row) => row["QUERY PLAN"]);
  }

  return {
    async measure(read: Read, userId: string): Promise<Times> {
      const start = performance.now();
      await read(reader, userId);
      const roundTrip = performance.now() - start;
      const [plans] = (await explain("analyze, timing off, format json")) as [Plan[]];
      const [plan] = plans;
      return { roundTrip, inDatabase: (plan?.["Execution Time"] ?? Infinity) + (plan?.["Planning Time"] ?? Infinity) };
    },
    /** Returns the plan as the database describes it. */
    async explain(read: Read, userId: string): Promise<string> {
      await read(reader, userId);
      return (await explain("analyze, buffers")).join("\n");
    },
    close: () => pool.end(),
  };
}

type Plan = { "Execution Time": number; "Planning Time": number };

/** Returns a value as the connection would send it. */
function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((each) => `"${each}"`).join(",")}}`);
  return escapeLiteral(typeof value === "string" ? value : JSON.stringify(value));
}
