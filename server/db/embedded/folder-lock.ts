import { DatabaseSync } from "node:sqlite";
import { resolve } from "node:path";
import { DatabaseCannotOpen } from "../unavailable.ts";

const SQLITE_BUSY = 5;

/**
 * Takes a folder for this process alone, and returns the function that gives it back.
 * The lock is the kernel's: SQLite's on an empty database beside the data, freed however the process ends.
 * Throws DatabaseCannotOpen when another process has the folder: two on one folder would silently lose rows.
 */
export function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(`${folder}/lock`);
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    throw new DatabaseCannotOpen(
      `Another process is using the database in ${resolve(folder)}. Stop it first, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  return () => lock.close();
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
