import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

/** A file of a backup, or a folder if the name ends in a slash. `content` yields exactly `size` bytes. */
export type BackupFile = { name: string; size: number; content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> };

const CHUNK = 1024 * 1024;
const CONTROL = "global/pg_control";
/** Matches the first segment of a backup, in PostgreSQL's backup label. */
const FIRST_SEGMENT = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m;
const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * Files that mean nothing to another server or are recreated when it starts. The same list as in PostgreSQL's own base
 * backup.
 */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pg_stat_tmp\/.+|pg_replslot\/.+|pg_wal\/.+)$|pgsql_tmp|pg_internal\.init/;

/**
 * Reads the files of a running engine: PostgreSQL's online backup. The files are copied while they change. The log that
 * follows makes them consistent when another engine opens them, in the state at the end of the backup. Until then no
 * checkpoint may run, because it would reuse that log.
 */
export async function* readBaseBackup(pool: pg.Pool, folder: string): AsyncGenerator<BackupFile> {
  await pool.query("select pg_backup_start('nodebeat', true)");
  let isOver = false;
  try {
    yield* readFiles(folder, await listFiles(folder));
    yield* readFiles(folder, [CONTROL]);
    const { rows } = await pool.query<{ label: string; last: string }>(
      "select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)",
    );
    isOver = true;
    const [end] = rows;
    if (!end) throw new Error("PostgreSQL does not say how its backup ended");
    const label = Buffer.from(end.label);
    yield { name: "backup_label", size: label.length, content: [label] };
    yield* readFiles(folder, await listSegments(folder, end));
  } finally {
    // The reader stopped early, or reading failed.
    if (!isOver) await pool.query("select pg_backup_stop(false)").catch(() => {});
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1) + (entry.isDirectory() ? "/" : ""))
    .filter((name) => name !== CONTROL && (!LEFT_OUT.test(name) || name === "pg_wal/archive_status/"))
    .sort();
}

async function listSegments(folder: string, { label, last }: { label: string; last: string }): Promise<string[]> {
  const [, first] = FIRST_SEGMENT.exec(label) ?? [];
  if (!first) throw new Error("PostgreSQL does not say where its backup began");
  const names = await readdir(join(folder, "pg_wal"));
  return names.filter((name) => SEGMENT.test(name) && name >= first && name <= last).map((name) => `pg_wal/${name}`);
}

async function* readFiles(folder: string, names: string[]): AsyncGenerator<BackupFile> {
  for (const name of names) {
    if (name.endsWith("/")) {
      yield { name, size: 0, content: [] };
      continue;
    }
    const path = join(folder, name);
    const size = await sizeOf(path);
    // Skips a table that was dropped meanwhile. The log records that too.
    if (size !== undefined) yield { name, size, content: readSized(path, size) };
  }
}

const sizeOf = async (path: string) => ignoreMissing(stat(path).then(({ size }) => size));
const openIfThere = (path: string) => ignoreMissing(open(path));

async function ignoreMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Reads as many bytes as the file had a moment ago. Pads what was truncated since; replaying the log truncates it
 * again.
 */
async function* readSized(path: string, size: number): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of readStart(path, size)) {
    left -= chunk.length;
    yield chunk;
  }
  for (; left > 0; left -= Math.min(CHUNK, left)) yield Buffer.alloc(Math.min(CHUNK, left));
}

async function* readStart(path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await openIfThere(path);
  if (!file) return;
  // The stream closes the file, even if the reader stops early.
  if (size > 0) yield* file.createReadStream({ end: size - 1, highWaterMark: CHUNK });
  else await file.close();
}
