import type pg from "pg";
import type { Logger } from "../../log/log.ts";
import { GuardedPool } from "../guarded-pool.ts";
import { readBaseBackup, type BackupFile } from "./base-backup.ts";
import { migrateDatabase } from "../migrate.ts";
import { POOL_CLOSE_TIMEOUT_MS } from "../time-limits.ts";
import type { Status } from "../unavailable.ts";
import { EmbeddedServer } from "./embedded-server.ts";
import { EngineThread } from "./engine-thread.ts";
import { startMaintenance } from "./maintenance.ts";
import { createSocketFolder } from "./socket-folder.ts";

/** How long to wait in line for the only connection, in milliseconds. */
const QUEUE_LIMIT = 15_000;

/** Whether to create a database under `dataDir` if there is none, and whether to migrate it. */
type Rights = { creates?: boolean | undefined; migrates?: boolean };

/** Opens the durable PostgreSQL under `dataDir`. Throws DatabaseCannotOpen. */
export async function openEmbedded(dataDir: string, log: Logger, { creates = true, migrates = true }: Rights = {}) {
  const server = await EmbeddedServer.start(dataDir, log, { creates });
  const pool = createPool(server.socketFolder, () => server.status(), log);
  server.transactions = pool.unlimited;
  try {
    if (migrates) await server.withoutTimeLimit(() => migrate(pool));
  } catch (error) {
    await pool.endWithin(POOL_CLOSE_TIMEOUT_MS);
    await server.close();
    throw error;
  }
  const acquireLock = createMutex();
  const stopMaintenance = startMaintenance(pool, log, async (work) => {
    using _ = await acquireLock();
    await server.withoutTimeLimit(work);
  });

  /**
   * Reads all files of the database while it keeps working. Maintenance waits meanwhile, and so does the next backup.
   */
  async function* readBackup(): AsyncGenerator<BackupFile> {
    using _ = await acquireLock();
    yield* readBaseBackup(pool, server.engineFolder);
  }

  async function close() {
    stopMaintenance();
    await pool.endWithin(POOL_CLOSE_TIMEOUT_MS);
    await server.close();
  }
  return { pool, status: () => server.status(), close, readBackup };
}

/** Creates a lock that one caller holds at a time, in the order in which they came, until it is disposed of. */
function createMutex(): () => Promise<Disposable> {
  let last = Promise.resolve();
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return { [Symbol.dispose]: resolve };
  };
}

/** Opens an in-memory PostgreSQL for tests. Starts from `snapshot` if given. Nothing outlives the process. */
export async function openMemory(log: Logger, snapshot?: string) {
  const sockets = await createSocketFolder();
  const engine = await EngineThread.start({ socket: sockets.socket, ...(snapshot && { snapshot }) }, log);
  let status: Status = { ok: true };
  void engine.ended.then((reason) => (status = { ok: false, reason: `The database in memory is gone: ${reason}.` }));
  const pool = createPool(sockets.folder, () => status, log);
  await migrate(pool);

  async function close() {
    await pool.endWithin(POOL_CLOSE_TIMEOUT_MS);
    await engine.close();
    await sockets.remove();
  }
  return { pool, status: () => status, close };
}

function createPool(host: string, status: () => Status, log: Logger): GuardedPool {
  return new GuardedPool(
    {
      host,
      user: "postgres",
      database: "postgres",
      // The engine is a single session: a second connection would share its transaction.
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: QUEUE_LIMIT,
      // The session outlives connections. Without this, so would the prepared statements of the last one.
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
      onConnect: forgetSession,
    },
    status,
    log,
  );
}

async function forgetSession(client: pg.ClientBase) {
  await client.query("discard all");
}

async function migrate(pool: GuardedPool) {
  const client = await pool.connect();
  try {
    await migrateDatabase(client);
  } finally {
    client.release();
  }
}
