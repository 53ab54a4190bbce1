import { Socket } from "node:net";
import type { PoolClient, PoolConfig } from "pg";
import { runAsCaller } from "../fair-share/caller.ts";
import type { Logger } from "../log/log.ts";
import { GuardedPool } from "./guarded-pool.ts";
import { nameConnections } from "./name-connections.ts";
import { NOTICE_LEAVING, prepareServer, type ServerTraits } from "./prepare-server.ts";
import { ServerWatch } from "./server-watch.ts";
import { PoolerClient } from "./pooler-client.ts";
import {
  CONNECT_TIMEOUT_MS,
  IDLE_IN_TRANSACTION_TIMEOUT_MS,
  POOL_CLOSE_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
} from "./time-limits.ts";
import { READ_ONLY, type Status } from "./unavailable.ts";

/** How many connections a process may open, unless DATABASE_POOL_SIZE says otherwise. */
const CONNECTIONS = 4;
/** How long a connection may be silent before the server is asked about it, in milliseconds. */
const SILENCE_LIMIT = 60_000;
/** How long to wait at startup for a server that is starting too, in milliseconds. */
const START_LIMIT = 30_000;

type Options = { poolSize?: number | undefined; startLimit?: number; silenceLimit?: number; creates?: boolean };

/**
 * Opens a database on a PostgreSQL server and migrates its schema. Waits up to `startLimit` milliseconds for a server
 * that is not up yet. After that, or if the server refuses, or if there are no tables and none may be created, throws
 * DatabaseCannotOpen.
 */
export async function openPostgres(databaseUrl: string, log: Logger, options: Options) {
  const { poolSize = CONNECTIONS, startLimit = START_LIMIT, silenceLimit, creates = true } = options;
  const traits = await prepareServer(databaseUrl, startLimit, log, { creates });

  const watch = new ServerWatch(log, traits);
  const pool = createServerPool(databaseUrl, { traits, poolSize, silenceLimit, status: () => watch.status, log });
  pool.on("connect", ({ connection }: PoolClient) => {
    watch.hear();
    connection.stream.on("data", () => watch.hear());
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === READ_ONLY) pool.renew();
    });
  });
  watch.start(pool);
  log.info({ poolSize, isPooled: traits.isPooled }, "opened PostgreSQL");

  async function close() {
    watch.stop();
    await pool.endWithin(POOL_CLOSE_TIMEOUT_MS);
  }
  return { pool, status: () => watch.status, readiness: () => watch.readiness, close };
}

type PoolOptions = {
  traits: ServerTraits;
  poolSize?: number | undefined;
  silenceLimit?: number | undefined;
  /** Checks a new connection before it is used. */
  verify?: PoolConfig["verify"];
  status: () => Status;
  log: Logger;
};

/** Creates a pool of connections to a PostgreSQL server, with the time limits that apply to all of them. */
export function createServerPool(url: string, options: PoolOptions) {
  const { traits, poolSize = CONNECTIONS, silenceLimit = SILENCE_LIMIT, verify, status, log } = options;
  const pool = new GuardedPool(
    {
      ...nameConnections(url),
      max: poolSize,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...(traits.isPooled
        ? { Client: PoolerClient }
        : {
            statement_timeout: STATEMENT_TIMEOUT_MS,
            idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
          }),
      ...(traits.noticesLeaving && { options: `-c ${NOTICE_LEAVING}` }),
      verify,
    },
    status,
    log,
  );
  pool.on("connect", (client: PoolClient) => {
    const { stream } = client.connection;
    if (stream instanceof Socket) limitSilence(stream, silenceLimit, () => isAtWork(pool, client));
  });
  return pool;
}

/**
 * Discards a connection on which nothing arrived for `limit` milliseconds, as when the network drops packets. A
 * statement without a time limit is silent too, so the connection stays while the server is working on one.
 */
function limitSilence(stream: Socket, limit: number, isWorking: () => Promise<boolean>) {
  async function handleSilence() {
    const before = stream.bytesRead;
    if ((await isWorking()) || stream.bytesRead > before) limitSilence(stream, limit, isWorking);
    else stream.destroy(new Error("Connection terminated: the server fell silent"));
  }
  stream.setTimeout(limit, () => void handleSilence());
}

/**
 * Asks on another connection. No answer counts as no. The server does not know the process ids that a pooler hands out.
 */
function isAtWork(pool: GuardedPool, client: PoolClient): Promise<boolean> {
  // The client enforces the limit. It is missing from the types.
  const question = {
    text: "select from pg_stat_activity where pid = $1 and state = 'active'",
    values: ["processID" in client ? client.processID : null],
    query_timeout: CONNECT_TIMEOUT_MS,
  };
  // Under its own caller name, because the caller that runs the statement may have no connection to spare.
  return runAsCaller("silence", () => pool.query(question)).then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  );
}
