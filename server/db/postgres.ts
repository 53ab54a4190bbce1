import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Client, type PoolClient } from "pg";
import type { Logger } from "../log/log.ts";
import { GuardedPool } from "./guarded-pool.ts";
import { migrateSharedDatabase } from "./migrate.ts";
import { ServerWatch } from "./server-watch.ts";
import { DatabaseCannotOpen, isUnreachable } from "./unavailable.ts";

/** Connections of one process. */
const CONNECTIONS = 10;
/** Time limits in milliseconds: to get a connection, for a statement, between statements, and for any word at all. */
const CONNECT_LIMIT = 5_000;
const STATEMENT_LIMIT = 30_000;
const IDLE_IN_TRANSACTION_LIMIT = 60_000;
const SILENCE_LIMIT = 60_000;
/** How long a start waits for a server that is starting too, in milliseconds. */
const START_LIMIT = 30_000;
/** How long borrowed connections may take to come back at the end, in milliseconds. */
const RETURN_LIMIT = 5_000;

const application_name = "nodebeat";

/**
 * Opens a PostgreSQL server's database and brings its schema up to date. A server that is not there yet gets
 * `startLimit` milliseconds to come; then, or when it refuses, throws DatabaseCannotOpen.
 */
export async function openPostgres(databaseUrl: string, log: Logger, startLimit = START_LIMIT) {
  await migrateServer(databaseUrl, startLimit, log);

  const watch = new ServerWatch(log);
  const pool = new GuardedPool(
    {
      connectionString: databaseUrl,
      application_name,
      max: CONNECTIONS,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_LIMIT,
      statement_timeout: STATEMENT_LIMIT,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_LIMIT,
    },
    () => watch.status,
    log,
  );
  pool.on("connect", limitSilence);
  watch.start(pool);

  async function close() {
    watch.stop();
    await pool.endWithin(RETURN_LIMIT);
  }
  return { pool, status: () => watch.status, close };
}

async function migrateServer(databaseUrl: string, startLimit: number, log: Logger) {
  const client = await connect(databaseUrl, performance.now() + startLimit, log);
  try {
    await migrateSharedDatabase(client);
  } finally {
    await client.end();
  }
}

/** A connection without time limits: a migration takes as long as the tables are large. */
async function connect(databaseUrl: string, deadline: number, log: Logger): Promise<Client> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new Client({
      connectionString: databaseUrl,
      application_name,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_LIMIT,
    });
    try {
      await client.connect();
      return client;
    } catch (cause) {
      await client.end();
      if (!isUnreachable(cause) || performance.now() >= deadline) throw explain(client, cause);
      if (attempt === 1) log.warn({ err: cause }, "PostgreSQL does not answer yet: waiting for it");
    }
    await wait(500);
  }
}

function explain({ database, host, port, user }: Client, cause: unknown): DatabaseCannotOpen {
  const problem = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new DatabaseCannotOpen(
    `The database "${database}" on ${host}:${port} cannot be opened as "${user}": ${problem}. Check DATABASE_URL.`,
    { cause },
  );
}

/** Gives up a connection on which nothing came for a minute, as when the network swallows packets. */
function limitSilence(client: PoolClient) {
  const stream = "connection" in client && isConnection(client.connection) ? client.connection.stream : undefined;
  if (!(stream instanceof Socket)) return;
  stream.setTimeout(SILENCE_LIMIT, () => stream.destroy(new Error("Connection terminated: the server fell silent")));
}

const isConnection = (value: unknown): value is { stream: unknown } =>
  typeof value === "object" && value !== null && "stream" in value;
