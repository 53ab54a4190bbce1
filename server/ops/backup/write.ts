import { createHash, randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { StartError } from "../../start-error.ts";
import { describeBytes, manifestOf, type Manifest } from "./manifest.ts";

type About = Pick<Manifest, "engine" | "version" | "schema">;
type Source = AsyncIterable<Uint8Array>;
type WriteOptions = { report: (text: string) => void; compresses?: boolean };

/** Throws StartError if a backup cannot be written there. Nothing is ever overwritten. */
export function requireFree(file: string): void {
  for (const path of [file, manifestOf(file)]) if (existsSync(path)) refuseTaken(path);
  if (!existsSync(dirname(file))) throw new StartError(`There is no folder ${dirname(file)}.`);
}

function refuseTaken(path: string): never {
  throw new StartError(`The file ${path} already exists. Choose another name: nothing is overwritten.`);
}

/**
 * Writes a backup that only its owner can read. It gets its name once it is complete and on the disk, and its manifest
 * after that, so that nobody takes an interrupted one for a backup. If several write to one file, the first to end gets
 * the name.
 */
export async function writeBackup(file: string, source: Source, about: About, way: WriteOptions): Promise<Manifest> {
  await removeStaleParts(file);
  // Lets the next run tell a backup in progress from one that was killed.
  const id = randomUUID();
  const [part, manifestPart] = partsOf(file, id);
  OWN.add(id);
  using _ = removeWhenInterrupted(part, manifestPart);
  try {
    const written = await writePart(part, source, way);
    const manifest: Manifest = { format: "nodebeat backup 1", ...about, madeAt: new Date().toISOString(), ...written };
    await writeFile(manifestPart, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600, flush: true });
    // Both are on the disk. Names take no more room on it.
    await place(part, file);
    await place(manifestPart, manifestOf(file)).catch((error: unknown) => rm(file).then(() => Promise.reject(error)));
    await syncFolder(dirname(file));
    return manifest;
  } catch (error) {
    for (const each of [part, manifestPart]) await rm(each, { force: true });
    if (isDiskFull(error))
      throw new StartError(`The disk of ${file} is full: there is no backup. Free some space.`, { cause: error });
    throw error;
  } finally {
    OWN.delete(id);
  }
}

/** The signals that interrupt a command: from an operator, or from a terminal that closes. */
export const INTERRUPTIONS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Until disposed, an interruption removes the incomplete files and then ends the process. */
function removeWhenInterrupted(...paths: string[]): Disposable {
  function end(interruption: NodeJS.Signals) {
    for (const path of paths) rmSync(path, { force: true });
    process.kill(process.pid, interruption);
  }
  for (const interruption of INTERRUPTIONS) process.once(interruption, end);
  return {
    [Symbol.dispose]() {
      for (const interruption of INTERRUPTIONS) process.off(interruption, end);
    },
  };
}

/** The ids of what this process is writing. In a container, a killed process may have had the same process id. */
const OWN = new Set<string>();

const partsOf = (file: string, id: string) =>
  [`${file}.${process.pid}-${id}.part`, `${manifestOf(file)}.${process.pid}-${id}.part`] as const;

/**
 * Removes what killed runs have left: at once for this file, and after a day without a write for others, which may be
 * named after the day they were made. Their writers may run on another machine, where this process cannot see them.
 */
async function removeStaleParts(file: string) {
  const names = new Set([basename(file), basename(manifestOf(file))]);
  for (const name of await readdir(dirname(file))) {
    const [, of, pid, id = ""] = /^(.+)\.(\d+)-([\da-f-]{36})\.part$/.exec(name) ?? [];
    if (of === undefined || (Number(pid) === process.pid ? OWN.has(id) : isRunning(Number(pid)))) continue;
    const path = join(dirname(file), name);
    // It is in nobody's way if only another user may remove it, as in /tmp: names are used once.
    if (names.has(of) || (await isOld(path))) await rm(path, { force: true }).catch(() => {});
  }
}

const DAY = 24 * 60 * 60_000;

/** Whether nobody has written to a file for a day. False if it is gone. */
const isOld = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs < Date.now() - DAY,
    () => false,
  );

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

async function writePart(part: string, source: Source, { compresses = false, report }: WriteOptions) {
  const hash = createHash("sha256");
  let bytes = 0;
  const handle = await open(part, "wx", 0o600);
  const output = handle.createWriteStream({ flush: true });
  await pipeline(
    Readable.from(source),
    compresses ? createGzip({ level: 4 }) : new PassThrough(),
    async function* (chunks: Source) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        report(`Written ${describeBytes(bytes)}`);
        yield chunk;
      }
    },
    output,
  );
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Gives a file its final name after claiming it: a rename overwrites what is there, and not every disk has hard links.
 */
async function place(part: string, file: string) {
  const taken = await open(file, "wx", 0o600).catch((error: unknown) => {
    if (hasCode(error, "EEXIST")) refuseTaken(file);
    throw error;
  });
  await taken.close();
  await rename(part, file).catch((error: unknown) => rm(file).then(() => Promise.reject(error)));
}

async function syncFolder(folder: string) {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isDiskFull = (error: unknown) => hasCode(error, "ENOSPC", "EDQUOT");

const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
