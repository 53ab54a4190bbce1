import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { describeSchema } from "../../db/schema-state.ts";
import { StartError } from "../../start-error.ts";

/** Describes a backup. It is written next to the backup once that is complete. */
export const Manifest = z.object({
  format: z.literal("nodebeat backup 1"),
  engine: z.enum(["embedded", "postgres"]),
  /** PostgreSQL's version. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The last migration: its name, and when it was written. */
  schema: z.object({ reached: z.string().nullable(), reachedAt: z.number() }),
  bytes: z.number(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestOf = (file: string): string => `${file}.manifest.json`;

/**
 * Returns the manifest, once every byte of the backup was found to be as it was written. Throws StartError otherwise,
 * and if the backup is of another engine or a later version.
 */
export async function readBackupManifest(file: string, engine: Manifest["engine"], report: (text: string) => void) {
  const manifest = await readManifest(file);
  await compareSum(file, manifest, report);
  if (manifest.engine !== engine) throw new StartError(describeOtherEngine(manifest));
  if (describeSchema(manifest.schema.reachedAt).isLater)
    throw new StartError(`${file} was made by a later version of Nodebeat: restore it with that one.`);
  return manifest;
}

async function readManifest(file: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(manifestOf(file), "utf8")));
  } catch (cause) {
    throw new StartError(
      `${manifestOf(file)} is missing or is not a manifest. Without it ${file} may be incomplete, so it is not restored.`,
      { cause },
    );
  }
}

async function compareSum(file: string, { bytes, sha256 }: Manifest, report: (text: string) => void) {
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk);
      size += chunk.length;
      report(`Checked ${describeBytes(size)} of ${describeBytes(bytes)}`);
    }
  } catch (cause) {
    throw new StartError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    });
  }
  if (size !== bytes) throw new StartError(`${file} is incomplete: it has ${size} bytes and should have ${bytes}.`);
  if (hash.digest("hex") !== sha256) throw new StartError(`${file} is damaged: it is not what was written.`);
}

const describeOtherEngine = ({ engine }: Manifest) =>
  engine === "embedded"
    ? "This is a backup of an embedded database, and DATABASE_URL names a PostgreSQL: leave DATABASE_URL out."
    : "This is a backup of a PostgreSQL: set DATABASE_URL to an empty database to restore it to.";

/** Formats a number of bytes for people. */
export function describeBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const amount = bytes / 1000 ** power;
  return `${power === 0 ? amount : amount.toFixed(amount < 10 ? 1 : 0)} ${units[power]}`;
}
