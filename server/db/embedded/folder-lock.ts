import { DatabaseSync } from "node:sqlite";
import { resolve } from "node:path";
import { DatabaseCannotOpen, DatabaseInUse } from "../unavailable.ts";

const SQLITE_BUSY = 5;

/**
 * Reserves a folder for this process, and returns a function that releases it. The lock is the kernel's: SQLite takes
 * it on an empty database beside the data, and it is freed however the process ends. Throws DatabaseInUse if another
 * process has the folder, because two in one folder would silently lose rows, and DatabaseCannotOpen if the lock belongs
 * to another user.
 */
export function lockFolder(folder: string): () => void {
  const path = resolve(folder, "lock");
  const lock = new DatabaseSync(path, { open: false });
  try {
    lock.open();
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    if (lock.isOpen) lock.close();
    if (isBusy(cause)) throw new DatabaseInUse(describeBusy(folder), { cause });
    throw new DatabaseCannotOpen(describeUseless(path, cause), { cause });
  }
  return () => lock.close();
}

const describeBusy = (folder: string) =>
  `Another process is using the database in ${resolve(folder)}. Stop it first, or set DATA_DIR to another folder.`;

const describeUseless = (path: string, cause: unknown) =>
  `${path} cannot be locked (${cause instanceof Error ? cause.message : String(cause)}). ` +
  "Start as the user whose folder it is, or set DATA_DIR to another one.";

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
