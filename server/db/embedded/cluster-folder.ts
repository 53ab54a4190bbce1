import fs from "node:fs";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** A quarter of PostgreSQL's own size for a segment of write-ahead log: one is made in full before it is used. */
const INITDB_PARAMS = ["--wal-segsize=4"];

/**
 * Makes the folder that holds PostgreSQL's files, unless it is there. It appears in one step and on disk:
 * a first start that is cut short leaves a draft, which the next start throws away.
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
