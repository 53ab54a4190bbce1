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
type Way = { say: (text: string) => void; compresses?: boolean };

/** Throws StartError where a backup cannot be written there: nothing is ever written over. */
export function requireFree(file: string): void {
  for (const path of [file, manifestOf(file)]) if (existsSync(path)) refuseTaken(path);
  if (!existsSync(dirname(file))) throw new StartError(`There is no folder ${dirname(file)}.`);
}

function refuseTaken(path: string): never {
  throw new StartError(`The file ${path} already exists. Choose another name: nothing is overwritten.`);
}

/**
 * Writes a backup for its owner alone. It has its name once it is whole and on the disk, and its manifest after that:
 * whatever stops it on the way leaves what nobody takes for one. Of several to one file the first to end has the name.
 */
export async function writeBackup(file: string, source: Source, about: About, way: Way): Promise<Manifest> {
  await removeLeft(file);
  // By this the next run tells who is at work from who was killed.
  const id = randomUUID();
  const [part, manifestPart] = partsOf(file, id);
  OWN.add(id);
  using _ = removeWhenInterrupted(part, manifestPart);
  try {
    const written = await writePart(part, source, way);
    const manifest: Manifest = { format: "nodebeat backup 1", ...about, madeAt: new Date().toISOString(), ...written };
    await writeFile(manifestPart, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600, flush: true });
    // Both are on the disk: names take no more room on it.
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

/** How an operator interrupts a command, and how a terminal that goes away does. */
export const INTERRUPTIONS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Until it is disposed of, an interruption removes what is not whole, and ends the process after that. */
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

/** What this process is writing: in a container the one that was killed may have had its number. */
const OWN = new Set<string>();

const partsOf = (file: string, id: string) =>
  [`${file}.${process.pid}-${id}.part`, `${manifestOf(file)}.${process.pid}-${id}.part`] as const;

/**
 * Removes what runs that were killed have left: of this file at once, and of others, each of which may be named by its
 * day, after a day in which nobody wrote. Who writes them may be on another machine, and cannot be seen from here.
 */
async function removeLeft(file: string) {
  const names = new Set([basename(file), basename(manifestOf(file))]);
  for (const name of await readdir(dirname(file))) {
    const [, of, pid, id = ""] = /^(.+)\.(\d+)-([\da-f-]{36})\.part$/.exec(name) ?? [];
    if (of === undefined || (Number(pid) === process.pid ? OWN.has(id) : isRunning(Number(pid)))) continue;
    const path = join(dirname(file), name);
    // What only another user may remove, as in /tmp, is in nobody's way: names are used once.
    if (names.has(of) || (await isOld(path))) await rm(path, { force: true }).catch(() => {});
  }
}

const DAY = 24 * 60 * 60_000;

/** False for what is gone meanwhile. */
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

async function writePart(part: string, source: Source, { compresses = false, say }: Way) {
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
        say(`Written ${describeBytes(bytes)}`);
        yield chunk;
      }
    },
    output,
  );
  return { bytes, sha256: hash.digest("hex") };
}

/** Gives a file its name, which is taken first: a rename writes over what is there, and not every disk has links. */
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
