import type pg from "pg";
import type { Logger } from "../../log/log.ts";

/** Time between two checks of whether anything is due, in milliseconds. */
const INTERVAL = 30_000;
/** How many bytes of write-ahead log make a checkpoint due. A start after a crash has to replay this log. */
const LOG_LIMIT = 64 * 1024 * 1024;

const FIND_LOG_SIZE = "select pg_current_wal_insert_lsn() - redo_lsn as bytes from pg_control_checkpoint()";

/** Uses PostgreSQL's own thresholds for autovacuum and autoanalyze. */
const FIND_DUE_TABLES = `
  select relid::regclass as name
    from pg_stat_user_tables
    join pg_class on oid = relid
   where n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
      or n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)
      or n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)`;

/**
 * Does the work of a PostgreSQL server's background processes, which the embedded one lacks. Without checkpoints the
 * write-ahead log would grow forever, and without vacuum so would the tables. Returns a function that stops it.
 */
export function startMaintenance(
  pool: pg.Pool,
  log: Logger,
  run: (work: () => Promise<void>) => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = () => {
    timer = setTimeout(() => void tick(), INTERVAL).unref();
  };
  async function tick() {
    try {
      await run(() => maintain(pool));
    } catch (error) {
      log.warn({ err: error }, "The embedded database could not be tidied up");
    }
    if (!stopped) schedule();
  }
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Runs maintenance once: vacuums and analyses tables that changed a lot, then checkpoints a long write-ahead log. */
export async function maintain(pool: pg.Pool): Promise<void> {
  // The engine does not publish its statistics until asked to.
  await pool.query("select pg_stat_force_next_flush()");
  const { rows: tables } = await pool.query<{ name: string }>(FIND_DUE_TABLES);
  for (const { name } of tables) await pool.query(`vacuum (analyze) ${name}`);
  const { rows } = await pool.query<{ bytes: string }>(FIND_LOG_SIZE);
  if (Number(rows[0]?.bytes) > LOG_LIMIT) await pool.query("checkpoint");
}
