import { createReadStream, existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, normalize, resolve } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { createTarDecoder } from "modern-tar";
import { openDatabase } from "../../db/client.ts";
import { syncPath, syncTree } from "../../db/embedded/cluster-folder.ts";
import { engineFolderIn, findMovedAside, restoreFolderIn } from "../../db/embedded/embedded-server.ts";
import { lockFolder } from "../../db/embedded/folder-lock.ts";
import { makeFolder } from "../../make-folder.ts";
import { StartError } from "../../start-error.ts";
import type { Place } from "./embedded.ts";
import { examine, type Examined } from "./examine.ts";
import { describeBytes, readBackupManifest } from "./manifest.ts";

/** `kept`: the folder to which the former database was moved, or null. */
type Restored = Examined & { kept: string | null };

/**
 * Replaces the embedded database with a backup. Opens and examines the backup in another folder first, so that a
 * failure on the way changes nothing. Throws StartError, also if a server runs, or if there is a database and
 * `replaces` is false.
 */
export async function restoreEmbedded(place: Place, file: string, { replaces }: { replaces: boolean }) {
  const folder = resolve(place.dataDir, "db");
  await makeFolder(folder, 0o700);
  using _ = hold(folder);
  const target = engineFolderIn(folder);
  if (existsSync(target) && !replaces) throw new StartError(describeTaken(target));
  await readBackupManifest(file, "embedded", place.report);

  // A temporary data folder, on the same disk.
  const draft = restoreFolderIn(folder);
  await rm(draft, { recursive: true, force: true });
  try {
    const files = engineFolderIn(join(draft, "db"));
    await unpack(file, files, place.report);
    syncTree(files);
    place.report("Opening the restored database");
    const examined = await examineDraft(place, draft);
    // A restore that was killed may have moved the database aside already.
    const kept = existsSync(target) ? await moveAside(target) : findMovedAside(folder);
    await rename(files, target);
    syncPath(folder);
    return { ...examined, kept } satisfies Restored;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Locks the database, so that nobody can open it meanwhile. Throws if somebody has it open. */
function hold(folder: string): Disposable {
  const release = lockFolder(folder);
  return { [Symbol.dispose]: release };
}

/** Renames the database that is there. Returns its new path. */
async function moveAside(target: string): Promise<string> {
  const kept = `${target}-until-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  await rename(target, kept);
  return kept;
}

async function examineDraft({ log }: Place, dataDir: string): Promise<Examined> {
  const database = await openDatabase({ dataDir, log });
  try {
    return await examine(database.db);
  } finally {
    await database.close();
  }
}

async function unpack(file: string, folder: string, report: (text: string) => void) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let bytes = 0;
  const { readable, writable } = createTarDecoder({ strict: true });
  const fed = pipeline(createReadStream(file), createGunzip(), Writable.fromWeb(writable));
  // It is awaited at the end. Until then a rejection must not count as unhandled.
  fed.catch(() => {});
  for await (const { header, body } of readable) {
    const path = join(folder, normalize(header.name));
    if (!path.startsWith(`${folder}/`))
      throw new StartError(`${file} is not a backup: it contains a path outside its folder.`);
    if (header.type === "directory") await mkdir(path, { recursive: true, mode: 0o700 });
    else await writeEntry(path, body);
    bytes += header.size;
    report(`Restored ${describeBytes(bytes)}`);
  }
  await fed;
}

async function writeEntry(path: string, body: AsyncIterable<Uint8Array>) {
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  // `writeFile` writes each chunk in full. On a nearly full disk, a single write may take only part of it without an
  // error, and report that only by a number.
  await writeFile(path, body, { flag: "wx", mode: 0o600 });
}

const describeTaken = (target: string) =>
  `There is a database in ${target} already. Set DATA_DIR to an empty folder, or add --replace to keep it under another name.`;
