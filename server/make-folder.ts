import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, with those that it is in, unless it is there. Throws what the system says. Node.js's own way never
 * ends in /proc, which says of what can never be there that the folder around it is missing.
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
