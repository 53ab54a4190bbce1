import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Secrets } from "./secrets.ts";

/**
 * A random value of a demo that must survive restarts: made once and kept under the data folder, readable by
 * its owner only. Two processes that start at the same moment end with the same value.
 */
export async function keepSecret(dataDir: string, name: string, bytes: number): Promise<string> {
  const path = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(path, `${randomBytes(bytes).toString("base64url")}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const secret = (await readFile(path, "utf8")).trim();
  if (!secret) throw new Error(`${path} is empty: delete it to have a new one made.`);
  return secret;
}

type Given = { dataDir: string; sessionSecret: string | undefined; otherSessionSecret: string | undefined };

/** The installation's secrets: as they are set, or a demo's own, of which its file may have a second one on a second line. */
export async function readSessionSecrets({ dataDir, sessionSecret, otherSessionSecret }: Given): Promise<Secrets> {
  if (sessionSecret) return otherSessionSecret ? [sessionSecret, otherSessionSecret] : [sessionSecret];
  const kept = await keepSecret(dataDir, "session-secret", 32);
  const [first = kept, ...others] = kept.split(/\s+/);
  return [first, ...others];
}
