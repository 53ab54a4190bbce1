import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Logger } from "../log/log.ts";
import type { BackupFile } from "./embedded/base-backup.ts";
import { openEmbedded, openMemory } from "./embedded/open-embedded.ts";
import type { GuardedPool, PoolUsage } from "./guarded-pool.ts";
import { openPostgres } from "./postgres.ts";
import { Replica } from "./replica.ts";
import * as schema from "./schema.ts";
import { DatabaseUnavailable, type Status } from "./unavailable.ts";

export type Db = NodePgDatabase<typeof schema> & { $client: pg.Pool };
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export type Database = {
  db: Db;
  pool: pg.Pool;
  engine: "embedded" | "postgres";
  /** Where some reads may go instead. */
  replica?: Replica | undefined;
  /** Whether the server can take requests, as last observed. Costs nothing. */
  status(): Status;
  /**
   * Whether the database is ready, as last observed. False while it is read-only, even though reads still work. Costs
   * nothing.
   */
  readiness(): Status;
  /** How its connections are used right now. Costs nothing. */
  usage(): PoolUsage;
  /** Queries the database itself, and waits up to 1.5 s for an answer. */
  check(): Promise<Status>;
  /** Reads all files of the embedded database while it keeps working. */
  readBackup?: (() => AsyncGenerator<BackupFile>) | undefined;
  /** Closes cleanly: waits for borrowed connections, for a few seconds at most. */
  close(): Promise<void>;
};

type Options = {
  /** A database on a PostgreSQL server. If absent, the embedded one under `dataDir` is used. */
  databaseUrl?: string | undefined;
  /** How many connections to open to that server, and to its replica. */
  databasePoolSize?: number | undefined;
  /** A replica of that database. */
  databaseReadUrl?: string | undefined;
  dataDir: string;
  /** Whether to create the database and its tables if there are none. Defaults to true. */
  creates?: boolean;
  log: Logger;
};

type Opened = Pick<Database, "readBackup" | "replica"> & {
  pool: GuardedPool;
  status: () => Status;
  /** Only where it differs from `status`. */
  readiness?: () => Status;
  close: () => Promise<void>;
};

/** How long a check waits for an answer, in milliseconds. */
const CHECK_LIMIT = 1_500;

/** Opens the database and migrates its schema. Throws DatabaseCannotOpen with a message for the operator. */
export async function openDatabase(options: Options): Promise<Database> {
  const { creates = true, databasePoolSize: poolSize, databaseReadUrl, databaseUrl, dataDir, log } = options;
  if (!databaseUrl) return describe("embedded", await openEmbedded(dataDir, log, { creates }));
  const opened = await openPostgres(databaseUrl, log, { poolSize, creates });
  if (!databaseReadUrl) return describe("postgres", opened);
  const replica = new Replica(databaseReadUrl, { primary: opened.pool, poolSize, log });
  async function close() {
    await Promise.all([replica.close(), opened.close()]);
  }
  return describe("postgres", { ...opened, replica, close });
}

/**
 * Opens the embedded database without migrating it. Creates none unless `creates` is set. Throws DatabaseCannotOpen.
 */
export const openWithoutMigrating = async ({
  dataDir,
  creates = false,
  log,
}: Pick<Options, "dataDir" | "creates" | "log">): Promise<Database> =>
  describe("embedded", await openEmbedded(dataDir, log, { creates, migrates: false }));

/**
 * Opens an in-memory database for tests. `snapshot` is a tar file of a database to start from, which saves the
 * migrations.
 */
export async function openMemoryDatabase({ log, snapshot }: { log: Logger; snapshot?: string }): Promise<Database> {
  return describe("embedded", await openMemory(log, snapshot));
}

function describe(engine: Database["engine"], opened: Opened): Database {
  const { pool, replica, status, readiness = status, close, readBackup } = opened;
  let closed: Promise<void> | undefined;
  return {
    db: drizzle(pool, { schema }),
    pool,
    engine,
    replica,
    status,
    readiness,
    usage: () => pool.usage,
    check: () => check(pool, status()),
    ...(readBackup && { readBackup }),
    close: () => (closed ??= close()),
  };
}

async function check(pool: GuardedPool, status: Status): Promise<Status> {
  if (!status.ok) return status;
  try {
    await pool.ping(CHECK_LIMIT);
    return { ok: true };
  } catch (error) {
    const reason = error instanceof DatabaseUnavailable ? error.message : "The database does not answer.";
    return { ok: false, reason };
  }
}
