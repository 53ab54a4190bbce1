import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Only this user of the machine may read it. */
export const OWNER_ONLY = 0o600;

/** Undefined where there is no such file. Throws what the system says where it cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Puts a text in place of a file in one step: nobody finds half of it, also where two processes do so at once.
 * Throws what the system says where it cannot be written.
 */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.${process.pid}.next`;
  try {
    writeFileSync(next, text, { mode: OWNER_ONLY, flush: true });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** What the system says of a file, without the call and the path: `ENOSPC: no space left on device`. */
export const describeFileError = (error: unknown): string => String(error).replace(/^Error: |,.*/gs, "");
