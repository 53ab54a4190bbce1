import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { StartError } from "../../start-error.ts";
import { describeBytes, manifestOf, type Manifest } from "./manifest.ts";

type About = Pick<Manifest, "engine" | "version" | "schema">;
type Source = AsyncIterable<Uint8Array>;
type Way = { say: (text: string) => void; compresses?: boolean };

/** Throws StartError where a backup cannot be written there: nothing is ever written over. */
export function requireFree(file: string): void {
  for (const path of [file, manifestOf(file)])
    if (existsSync(path)) throw new StartError(`There is already a file ${path}: nothing is written over.`);
  if (!existsSync(dirname(file))) throw new StartError(`There is no folder ${dirname(file)}.`);
}

/**
 * Writes a backup for its owner alone. It has its name once it is whole and on the disk, and its manifest after that:
 * whatever stops it on the way leaves what nobody takes for one.
 */
export async function writeBackup(file: string, source: Source, about: About, way: Way): Promise<Manifest> {
  const part = `${file}.part`;
  const manifestPart = `${manifestOf(file)}.part`;
  try {
    const written = await writePart(part, source, way);
    const manifest: Manifest = { format: "nodebeat backup 1", ...about, madeAt: new Date().toISOString(), ...written };
    await writeFile(manifestPart, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600, flush: true });
    // Both are on the disk: names take no more room on it.
    await rename(part, file);
    await rename(manifestPart, manifestOf(file));
    await syncFolder(dirname(file));
    return manifest;
  } catch (error) {
    for (const each of [part, manifestPart]) await rm(each, { force: true });
    if (isDiskFull(error))
      throw new StartError(`The disk of ${file} is full: there is no backup. Make some space.`, { cause: error });
    throw error;
  }
}

async function writePart(part: string, source: Source, { compresses = false, say }: Way) {
  const hash = createHash("sha256");
  let bytes = 0;
  await rm(part, { force: true });
  const handle = await open(part, "wx", 0o600);
  const output = handle.createWriteStream({ flush: true });
  await pipeline(
    Readable.from(source),
    compresses ? createGzip({ level: 4 }) : new PassThrough(),
    async function* (chunks: Source) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        say(`Written ${describeBytes(bytes)}`);
        yield chunk;
      }
    },
    output,
  );
  return { bytes, sha256: hash.digest("hex") };
}

async function syncFolder(folder: string) {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isDiskFull = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
