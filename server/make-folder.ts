import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder and the folders above it, unless they exist. Throws the system's error. The recursive mkdir of
 * Node.js never returns in /proc, where the error for a path that cannot exist is that its parent is missing.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (!existsSync(dirname(folder))) await makeFolder(dirname(folder), mode);
  try {
    await mkdir(folder, mode);
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
