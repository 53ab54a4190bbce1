import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Client } from "pg";
import { openDatabase, type Database, type Db } from "../../db/client.ts";
import { inspectDatabase } from "../../db/inspect.ts";
import { queryServer, isPooled } from "../../db/prepare-server.ts";
import { inTransaction, limitStatements } from "../../db/transaction.ts";
import { isLockedOut } from "../../db/unavailable.ts";
import type { Logger } from "../../log/log.ts";
import { clearReadPositions } from "../../sessions/queries.ts";
import { StartError } from "../../start-error.ts";
import type { Home } from "../operation.ts";
import { examine, type Examined } from "./examine.ts";
import { readBackupManifest, type Manifest } from "./manifest.ts";
import { requireTool, runTool } from "./postgres-tools.ts";
import { INTERRUPTIONS, requireFree, writeBackup } from "./write.ts";

export type Server = Home & { databaseUrl: string; log: Logger };

/** How long to wait for a server that is not up yet, and for tables that somebody has locked, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The schemas of Nodebeat. */
const SCHEMAS = ["public", "drizzle"];
/** The comment on schemas that a restore has moved aside, for as long as it has put nothing in their place. */
const UNFINISHED = "A restore moved this aside and has not ended yet.";
/** A backup leaves out what others keep in the database, such as extensions: our role may not be able to create it. */
const DUMP = ["--format=custom", "--no-owner", "--no-acl", ...SCHEMAS.map((name) => `--schema=${name}`)];
/** Matches a line of a backup's contents that is ours. The schema `public` exists already. */
const IS_OURS = /^\d+; \d+ \d+ (?:SCHEMA - drizzle|[A-Z ]+ (?:public|drizzle)) /;

/** Backs up a PostgreSQL database with pg_dump, while servers go on working. Throws StartError. */
export async function backUpPostgres({ databaseUrl, log, report, settings }: Server, file: string): Promise<Manifest> {
  requireFree(file);
  const {
    schema: { reached, reachedAt },
    version,
  } = await queryServer(databaseUrl, TIMEOUT_MS, log, async (client, server) => {
    if (isPooled(client, server)) throw new StartError(describePooler());
    await requireReadAccess(client);
    return inspectDatabase(drizzle(client));
  });
  await requireTool("pg_dump", { source: version, target: version }, settings);
  const { child, ended } = runTool("pg_dump", DUMP, databaseUrl, settings);
  async function* read() {
    yield* child.stdout;
    // It is a backup only if the program succeeds.
    await ended;
  }
  try {
    return await writeBackup(file, read(), { engine: "postgres", version, schema: { reached, reachedAt } }, { report });
  } finally {
    child.kill();
  }
}

/**
 * Throws StartError if the role cannot read everything. Months made after `migrate --grant-to`, for example, belong to
 * the owner alone.
 */
async function requireReadAccess(client: Client) {
  const { rowCount } = await client.query(
    `select from pg_class where relnamespace in (to_regnamespace('public'), to_regnamespace('drizzle'))
       and relkind in ('r', 'p', 'S') and not has_table_privilege(oid, 'select')`,
  );
  if (!rowCount) return;
  throw new StartError(`"${client.user}" cannot read everything: set DATABASE_URL to the role that owns the tables.`);
}

/**
 * Restores a backup to a PostgreSQL database, all of it or nothing, and examines it. With `replaces`, renames and keeps
 * what was there. Throws StartError, also if servers are using the database, or if it is not empty and `replaces` is
 * false.
 */
export async function restorePostgres(
  server: Server,
  file: string,
  { replaces }: { replaces: boolean },
): Promise<Examined & { kept: string | null; extensions: string[] }> {
  const { databaseUrl, log, report } = server;
  const { version } = await readBackupManifest(file, "postgres", report);
  const kept = await replace(server, file, { version, replaces });
  report("Checking the restored database");
  const database = await openDatabase({ databaseUrl, databasePoolSize: 2, dataDir: "", log });
  try {
    await clearReadPositions(database.db);
    await gatherStatistics(database.db);
    const schemas = kept === null ? [] : SCHEMAS.map((name) => name + kept);
    const extensions = await findExtensions(database, schemas);
    return { ...(await examine(database.db)), kept: schemas.join(" and ") || null, extensions };
  } finally {
    await database.close();
  }
}

/** Returns the extensions that moved aside with their schema, quoted. Only their owners may move them back. */
async function findExtensions({ pool }: Pick<Database, "pool">, schemas: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(extname) as name from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where nspname = any ($1) order by extname`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/**
 * Gathers the query planner's statistics, because a backup has none. Until autovacuum does so, plans would be guesses.
 */
const gatherStatistics = (db: Db) =>
  inTransaction(db, async (tx) => {
    await limitStatements(tx, 0);
    await tx.execute(sql`analyze`);
  });

/**
 * Moves what is there aside, if allowed, and restores the backup in its place. Moves it back if that fails or is
 * interrupted. Returns the suffix of the schemas that were moved aside, or null if there are none.
 */
async function replace(target: Server, file: string, { version, replaces }: { version: string; replaces: boolean }) {
  const { databaseUrl, log, settings } = target;
  using interruption = listenForInterruption();
  const kept = await queryServer(databaseUrl, TIMEOUT_MS, log, async (client, server) => {
    if (isPooled(client, server)) throw new StartError(describePooler());
    await requireTool("pg_restore", { source: version, target: server.version }, settings);
    await requireNoServers(client);
    const isEmpty = await findWhetherEmpty(client);
    if (!isEmpty && !replaces) throw new StartError(describeTaken(client));
    return isEmpty ? findUnfinished(client) : moveAside(client);
  });
  try {
    await runRestore(target, file, interruption.signal);
  } catch (error) {
    if (kept) await queryServer(databaseUrl, TIMEOUT_MS, log, (client) => moveBack(client, kept));
    throw error;
  }
  if (kept) await queryServer(databaseUrl, TIMEOUT_MS, log, removeMarks);
  return kept;
}

/** Until disposed, keeps an interruption from ending the process. It only aborts `signal`. */
function listenForInterruption() {
  const interrupted = new AbortController();
  const note = () => interrupted.abort();
  for (const interruption of INTERRUPTIONS) process.on(interruption, note);
  return {
    signal: interrupted.signal,
    [Symbol.dispose]() {
      for (const interruption of INTERRUPTIONS) process.off(interruption, note);
    },
  };
}

async function runRestore(server: Server, file: string, interruption: AbortSignal) {
  const read = (...args: string[]) => readBackup(server, file, interruption, args);
  const lines = (await read("--list")).split("\n");
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-contents-"));
  try {
    const contents = join(folder, "contents");
    await writeFile(contents, lines.filter((line) => IS_OURS.test(line)).join("\n"));
    const args = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-acl", `--use-list=${contents}`];
    await read(...args, "--dbname=");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Has pg_restore read a backup. Returns what it writes. */
async function readBackup(
  { databaseUrl, settings }: Server,
  file: string,
  interruption: AbortSignal,
  args: string[],
): Promise<string> {
  if (interruption.aborted) throw new StartError("Interrupted before anything was restored.");
  const { child, ended } = runTool("pg_restore", args, databaseUrl, settings);
  interruption.addEventListener("abort", () => void child.kill());
  const written = text(child.stdout);
  // If the program stops reading, it has said why, or needs no more.
  const fed = pipeline(createReadStream(file), child.stdin).catch(() => {});
  await ended;
  await fed;
  return written;
}

async function requireNoServers(client: Client) {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name like 'nodebeat%' and pid <> pg_backend_pid()`,
  );
  if (rows[0]?.count) throw new StartError("Servers are using this database. Stop all of them first.");
}

/** Returns whether there are no tables and the like, apart from those of extensions. */
async function findWhetherEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isEmpty: boolean }>(
    `select to_regnamespace('drizzle') is null and not exists (
       select from pg_class where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'v', 'm', 'S')
         and not exists (
           select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
     ) as "isEmpty"`,
  );
  return rows[0]?.isEmpty ?? false;
}

/**
 * Returns the suffix of the schemas that a killed restore has moved aside, or null if there are none. Those that a
 * restore has replaced are not meant: if there is nothing in their place now, somebody has removed that since.
 */
async function findUnfinished(client: Client): Promise<string | null> {
  const marked = await findMarked(client);
  return marked.findLast((name) => name.startsWith("public"))?.slice("public".length) ?? null;
}

async function findMarked(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace
      where nspname ~ '^(public|drizzle)_until_[0-9]{14}$' and obj_description(oid, 'pg_namespace') = $1
      order by nspname`,
    [UNFINISHED],
  );
  return rows.map(({ name }) => name);
}

/** Notes that a restore has ended, and so has every one before it. */
async function removeMarks(client: Client): Promise<void> {
  for (const name of await findMarked(client)) await client.query(`comment on schema ${name} is null`);
}

/** Renames the schemas that are there, and marks them. Returns the suffix of their new names. */
async function moveAside(client: Client): Promise<string> {
  const suffix = `_until_${new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
  // Wait only this long for locks: an interruption cannot take effect before the rename is done.
  await client.query(`set lock_timeout = ${TIMEOUT_MS}`);
  const names = SCHEMAS.map((name) => [name, name + suffix]);
  await rename(client, names, `'${UNFINISHED}'`).catch((error: unknown) => {
    throw isLockedOut(error) ? new StartError(IN_USE, { cause: error }) : error;
  });
  return suffix;
}

const moveBack = (client: Client, suffix: string) =>
  rename(
    client,
    SCHEMAS.map((name) => [name + suffix, name]),
    "null",
  );

async function rename(client: Client, names: string[][], comment: string) {
  await client.query("begin");
  for (const [from = "", to = ""] of names) {
    const { rows } = await client.query("select to_regnamespace($1) is not null as found", [from]);
    if (to === "public") await client.query("drop schema if exists public");
    if (rows[0]?.found)
      await client.query(`alter schema ${from} rename to ${to}; comment on schema ${to} is ${comment}`);
    if (from === "public") await client.query("create schema public");
  }
  await client.query("commit");
}

const IN_USE = "Another connection is changing this database and does not end. End it first.";

const describePooler = () =>
  "This database is behind a pooler, and a complete copy cannot go through one. For this command, set DATABASE_URL to the server itself.";

const describeTaken = ({ database }: Client) =>
  `The database "${database}" is not empty. Make an empty one and name it by DATABASE_URL, or add --replace, which keeps ` +
  "what is there under other names.";
