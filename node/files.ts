import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** The mode of a file that only this user of the machine may read. */
const OWNER_ONLY = 0o600;

/** Reads a file. Returns undefined if it does not exist. Throws the system's error if it cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Replaces a file in one step: nobody ever finds half of it, even if two processes write at once. Throws the system's
 * error if it cannot be written.
 */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.${process.pid}.next`;
  try {
    writeToDisk(next, text, "w");
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/**
 * Writes (`w`) or appends (`a`) text, and returns once the disk has it. The oldest Node.js that runs this ignores the
 * option `flush` of its own functions. Throws the system's error.
 */
export function writeToDisk(path: string, text: string, flag: "w" | "a"): void {
  const file = openSync(path, flag, OWNER_ONLY);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Describes the system's error without the call and the path: `ENOSPC: no space left on device`. */
export const describeFileError = (error: unknown): string => String(error).replace(/^Error: |,.*/gs, "");
