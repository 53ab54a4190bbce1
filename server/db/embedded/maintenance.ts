import type pg from "pg";
import type { Logger } from "../../log/log.ts";

/** Milliseconds between two looks at whether something is due. */
const INTERVAL = 30_000;
/** Write-ahead log, in bytes, after which a checkpoint is due: what a start after a crash has to replay. */
const LOG_LIMIT = 64 * 1024 * 1024;

const FIND_LOG_SIZE = "select pg_current_wal_insert_lsn() - redo_lsn as bytes from pg_control_checkpoint()";

/** PostgreSQL's own thresholds for autovacuum and autoanalyze. */
const FIND_DUE_TABLES = `
  select relid::regclass as name
    from pg_stat_user_tables
    join pg_class on oid = relid
   where n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
      or n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)
      or n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)`;

/**
 * Does what a PostgreSQL server's background processes do, which the embedded one does not have: without checkpoints
 * the write-ahead log grows without end, without vacuum so do the tables. Returns the function that stops it.
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

/** One round of upkeep: vacuums and analyses the tables that changed much, then shortens the write-ahead log. */
export async function maintain(pool: pg.Pool): Promise<void> {
  // The engine keeps its counts to itself until it is told to share them.
  await pool.query("select pg_stat_force_next_flush()");
  const { rows: tables } = await pool.query<{ name: string }>(FIND_DUE_TABLES);
  for (const { name } of tables) await pool.query(`vacuum (analyze) ${name}`);
  const { rows } = await pool.query<{ bytes: string }>(FIND_LOG_SIZE);
  if (Number(rows[0]?.bytes) > LOG_LIMIT) await pool.query("checkpoint");
}
