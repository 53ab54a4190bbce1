import { readFileSync } from "node:fs";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import * as z from "zod";
import { MIGRATIONS_FOLDER, readLatestMigration } from "./migrate.ts";

const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

export type SchemaState = {
  /** The name of the last migration that ran. Null if none ran, or if this version does not know it. */
  reached: string | null;
  /** When that migration was made. Migrations run in this order. */
  reachedAt: number;
  /** Migrations of this version that have yet to run. */
  missing: string[];
  /** Whether a later version has migrated the database. This version does not know its migrations. */
  isLater: boolean;
};

/** Reports which migrations a database has. Only reads. */
export const readSchemaState = async (db: Pick<NodePgDatabase, "execute">): Promise<SchemaState> =>
  describeSchema(await readLatestMigration(db));

/** Describes how a schema relates to this version, given when its last migration was made. */
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
