import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "../make-folder.ts";
import { StartError } from "../start-error.ts";
import type { Secrets } from "./secrets.ts";

/**
 * Returns a random value of a demo that must survive restarts. It is created once and stored in the data folder,
 * readable only by its owner. Two processes that start at the same moment get the same value. Throws StartError.
 */
export async function loadOrCreateSecret(dataDir: string, name: string, bytes: number): Promise<string> {
  const path = join(dataDir, name);
  await makeFolder(dataDir).catch(cannotWrite(dataDir));
  if (!existsSync(path)) await createSecret(path, bytes).catch(cannotWrite(dataDir));
  const secret = (await readFile(path, "utf8").catch(cannotRead(path))).trim();
  if (!secret) throw new StartError(`${path} is empty: delete it to have a new one made.`);
  return secret;
}

/**
 * Writes the value before it gets its name, so that another process that starts now never reads a part of it. The first
 * of several keeps the name: unlike a rename, a link overwrites nothing.
 */
async function createSecret(path: string, bytes: number): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${randomBytes(bytes).toString("base64url")}\n`, { mode: 0o600, flush: true });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

const cannotWrite =
  (folder: string) =>
  (cause: unknown): never => {
    throw new StartError(`The folder ${folder} cannot be written to. Set DATA_DIR to one that can.`, { cause });
  };

const cannotRead =
  (path: string) =>
  (cause: unknown): never => {
    const todo = "Start as the user whose file it is, or set DATA_DIR to another folder.";
    throw new StartError(`${path} cannot be read. ${todo}`, { cause });
  };

type Given = { dataDir: string; sessionSecret: string | undefined; otherSessionSecret: string | undefined };

/**
 * Returns the installation's secrets: the configured ones, or those in a demo's file, which may have another one on a
 * second line. Throws StartError, also if there is none and none may be created.
 */
export async function readSessionSecrets(
  { dataDir, sessionSecret, otherSessionSecret }: Given,
  { makes }: { makes: boolean },
): Promise<Secrets> {
  if (sessionSecret) return otherSessionSecret ? [sessionSecret, otherSessionSecret] : [sessionSecret];
  const path = resolve(dataDir, "session-secret");
  if (!makes && !existsSync(path))
    throw new StartError(`There is no secret in ${path}. Set SESSION_SECRET, or DATA_DIR, as the server has it.`);
  const stored = await loadOrCreateSecret(dataDir, "session-secret", 32);
  const [first = stored, ...others] = stored.split(/\s+/);
  return [first, ...others];
}
