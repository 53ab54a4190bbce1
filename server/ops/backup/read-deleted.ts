import { existsSync } from "node:fs";
import { realpath, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { openWithoutMigrating } from "../../db/client.ts";
import { engineFolderIn, isMovedAside } from "../../db/embedded/embedded-server.ts";
import { lockFolder } from "../../db/embedded/folder-lock.ts";
import { queryServer } from "../../db/prepare-server.ts";
import { makeFolder } from "../../make-folder.ts";
import { StartError } from "../../start-error.ts";
import { WrongUse, type Home } from "../operation.ts";
import { readDatabaseEnv } from "../ops-env.ts";
import { createOpsLog } from "../ops-log.ts";
import { resolveTyped } from "../typed-path.ts";

/** How long to wait for a server that is not up yet, in milliseconds. */
const TIMEOUT_MS = 30_000;

const log = createOpsLog("warn");

type Id = { id: string };

/**
 * Returns the ids of deleted members from the database that a restore moved aside. Throws WrongUse if no restore moved
 * it aside, and StartError if it cannot be read.
 */
export async function readDeleted(kept: string, settings: Home["settings"]): Promise<string[]> {
  const { databaseUrl } = readDatabaseEnv(settings);
  const found = databaseUrl ? await readSchema(databaseUrl, kept) : await readFolder(resolveTyped(kept, settings));
  return found.map(({ id }) => id);
}

async function readSchema(databaseUrl: string, schema: string): Promise<Id[]> {
  if (!/^public_until_\d+$/.test(schema))
    throw new WrongUse("Name the schema that the restore kept, such as public_until_20261122031500.");
  return queryServer(databaseUrl, TIMEOUT_MS, log, async (client) => {
    const { rows } = await client.query("select to_regclass($1) is not null as found", [`${schema}.users`]);
    if (!rows[0]?.found) throw new StartError(`There is no schema ${schema} with members in this database.`);
    return (await client.query<Id>(`select id from ${schema}.users where deleted_at is not null`)).rows;
  });
}

async function readFolder(given: string): Promise<Id[]> {
  const folder = existsSync(given) ? await realpath(given) : given;
  // A second engine on the files of a running one would destroy the database.
  if (!isMovedAside(folder) || (await isInUse(folder)))
    throw new WrongUse(
      "Name the folder that the restore kept, such as DATA_DIR/db/postgres-until-2026-11-22T03-15-00-000Z.",
    );
  if (!existsSync(join(folder, "PG_VERSION"))) throw new StartError(`There is no database in ${folder}.`);
  using _ = { [Symbol.dispose]: lockFolder(folder) };
  // A temporary data folder, which links to the files where the engine expects them. A command that was killed may have
  // left it.
  const place = join(dirname(folder), `look-${basename(folder)}`);
  await rm(place, { recursive: true, force: true });
  try {
    await makeFolder(join(place, "db"), 0o700);
    await symlink(folder, engineFolderIn(join(place, "db")));
    return await readMembers(place);
  } finally {
    await rm(place, { recursive: true });
  }
}

/** Whether somebody has linked the engine's place to this folder. */
async function isInUse(folder: string): Promise<boolean> {
  const running = engineFolderIn(dirname(folder));
  return existsSync(running) && (await realpath(running)) === folder;
}

async function readMembers(dataDir: string): Promise<Id[]> {
  const database = await openWithoutMigrating({ dataDir, log });
  try {
    return (await database.pool.query<Id>("select id from users where deleted_at is not null")).rows;
  } finally {
    await database.close();
  }
}
