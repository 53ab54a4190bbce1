import { readFileSync } from "node:fs";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import * as z from "zod";
import { MIGRATIONS_FOLDER, readReached } from "./migrate.ts";

const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

export type SchemaState = {
  /** The last migration that was run, by its name; null for none, and for one that this version does not know. */
  reached: string | null;
  /** When that one was made: migrations are in this order. */
  reachedAt: number;
  /** Those of this version that are still to be run. */
  missing: string[];
  /** Whether a later version has been at work: its migrations are not known here. */
  isLater: boolean;
};

/** How far the schema of a database is. Only reads. */
export const readSchemaState = async (db: Pick<NodePgDatabase, "execute">): Promise<SchemaState> =>
  describeSchema(await readReached(db));

/** What a schema is to this version, by the time of its last migration. */
export function describeSchema(reachedAt: number): SchemaState {
  const entries = readJournal();
  const newest = entries.at(-1)?.when ?? 0;
  return {
    reached: entries.find(({ when }) => when === reachedAt)?.tag ?? null,
    reachedAt,
    missing: entries.filter(({ when }) => when > reachedAt).map(({ tag }) => tag),
    isLater: reachedAt > newest,
  };
}

const readJournal = () =>
  Journal.parse(JSON.parse(readFileSync(`${MIGRATIONS_FOLDER}/meta/_journal.json`, "utf8"))).entries;
