import fs from "node:fs";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/**
 * A quarter of PostgreSQL's default segment size for the write-ahead log, because each segment is allocated in full
 * before use.
 */
const INITDB_PARAMS = ["--wal-segsize=4"];

/**
 * Creates the folder that holds PostgreSQL's files, unless it exists. It appears in one step, already forced to disk. A
 * first start that is interrupted leaves a draft, which the next start deletes.
 */
export async function createClusterFolder(folder: string): Promise<void> {
  if (fs.existsSync(folder)) return;
  const draft = `${folder}.draft`;
  fs.rmSync(draft, { recursive: true, force: true });
  const cluster = await PGlite.create({ fs: new NodeFS(draft), initDbStartParams: INITDB_PARAMS });
  await cluster.close();

  syncTree(draft);
  fs.renameSync(draft, folder);
  syncPath(dirname(folder));
  syncPath(dirname(dirname(folder)));
}

/** Forces all files of a folder to disk, and the folder itself. */
export function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { recursive: true, encoding: "utf8" })) syncPath(join(folder, entry));
  syncPath(folder);
}

export function syncPath(path: string): void {
  const descriptor = fs.openSync(path, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
