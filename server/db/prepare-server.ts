import { setTimeout as wait } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import { Client } from "pg";
import type { Logger } from "../log/log.ts";
import { migrateDatabase, readLatestMigration } from "./migrate.ts";
import { nameConnections } from "./name-connections.ts";
import { CONNECT_TIMEOUT_MS } from "./time-limits.ts";
import {
  DatabaseCannotOpen,
  findErrorCode,
  isLockedOut,
  isUnreachable,
  INSUFFICIENT_PRIVILEGE,
  READ_ONLY,
} from "./unavailable.ts";

/** The oldest version of PostgreSQL that this runs on. */
export const MIN_POSTGRES_VERSION = 15;

/** Makes the server check once a second whether the client is still connected, and stop the query if not. */
export const NOTICE_LEAVING = "client_connection_check_interval=1000";

/**
 * What a server says about itself. `isReadOnly`: at the time of asking. `dateStyle`: how times are formatted for this
 * role.
 */
export type Server = { version: string; processId: number; isReadOnly: boolean; dateStyle: string };

/**
 * Whether there is a pooler in front of a server, whether the server can notice that a client has disconnected (not
 * every operating system allows it), and whether the server is read-only for now.
 */
export type ServerTraits = { isPooled: boolean; noticesLeaving: boolean; isReadOnly: boolean };

/**
 * Migrates the schema of a database on a PostgreSQL server. Waits up to `startLimit` milliseconds for a server that is
 * not up yet, goes away meanwhile, has no connection left, is read-only although a migration is needed, or has a table
 * that somebody else holds locked. After that, or if the server refuses, or if there are no tables and none may be
 * created, throws DatabaseCannotOpen.
 */
export async function prepareServer(
  databaseUrl: string,
  startLimit: number,
  log: Logger,
  { creates }: { creates: boolean },
): Promise<ServerTraits> {
  const deadline = performance.now() + startLimit;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await queryServer(databaseUrl, deadline - performance.now(), log, async (client, server) => {
        if (Number.parseInt(server.version) < MIN_POSTGRES_VERSION)
          throw new DatabaseCannotOpen(describeOld(client, server));
        if (!writesIsoTimes(server)) throw new DatabaseCannotOpen(describeTimes(client, server));
        await requireVisibleTables(client);
        await migrateBy(deadline, client, { creates, log });
        return detectServerTraits(client, server);
      });
    } catch (cause) {
      // During a failover, the server that answers may be read-only for a while.
      const mayPass = isUnreachable(cause) || findErrorCode(cause) === READ_ONLY;
      if (!mayPass || performance.now() >= deadline) throw cause;
      if (attempt === 1) log.warn({ err: cause }, "PostgreSQL cannot be used yet: trying again");
    }
    await wait(500);
  }
}

/** Throws DatabaseCannotOpen if the role's own `search_path` hides our tables: no query would find any. */
async function requireVisibleTables(client: Client) {
  const { rowCount } = await client.query(
    `select from pg_class as hidden join pg_namespace as place on place.oid = hidden.relnamespace
      where place.nspname = 'public' and hidden.relname = 'background_jobs'
        and to_regclass('background_jobs') is null and has_schema_privilege(place.oid, 'usage')`,
  );
  if (rowCount) throw new DatabaseCannotOpen(describeHidden(client));
}

/**
 * Migrates until the deadline. Pauses between attempts, so that statements waiting behind the migration get their turn.
 */
async function migrateBy(deadline: number, client: Client, { creates, log }: { creates: boolean; log: Logger }) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (creates ? requireNoUnfinishedRestore(client) : requireTables(client));
      return await migrateDatabase(client);
    } catch (cause) {
      if (!isLockedOut(cause) || performance.now() >= deadline) throw explainMigration(client, cause);
      if (attempt === 1) log.warn({ err: cause }, "A table that a migration changes is in use: waiting for it");
    }
    await wait(1_000);
  }
}

/**
 * Throws DatabaseCannotOpen if a killed restore has moved the tables aside. Creating new ones would hide that, and that
 * all the data is still there.
 */
async function requireNoUnfinishedRestore(client: Client) {
  if ((await readLatestMigration(drizzle(client))) > 0) return;
  const suffix = await findMovedAside(client);
  if (suffix) throw new DatabaseCannotOpen(describeAside(client, suffix));
}

/** Returns the suffix of the schemas that the latest restore moved aside, or null if there are none. */
async function findMovedAside(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ suffix: string }>(
    `select substring(nspname from 7) as suffix from pg_namespace where nspname ~ '^public_until_[0-9]{14}$'
      order by nspname desc limit 1`,
  );
  return rows[0]?.suffix ?? null;
}

/** Throws DatabaseCannotOpen if the database has none of our tables. */
export async function requireTables(client: Client): Promise<void> {
  await requireNoUnfinishedRestore(client);
  if ((await readLatestMigration(drizzle(client))) === 0) throw new DatabaseCannotOpen(describeEmpty(client));
}

export async function detectServerTraits(client: Client, server: Server): Promise<ServerTraits> {
  const { isReadOnly } = server;
  const isLent = isPooled(client, server);
  return { isPooled: isLent, noticesLeaving: !isLent && (await takes(client, NOTICE_LEAVING)), isReadOnly };
}

/** Opens one connection to a PostgreSQL server for the duration of `work`. Throws as `prepareServer` does. */
export async function queryServer<Result>(
  databaseUrl: string,
  startLimit: number,
  log: Logger,
  work: (client: Client, server: Server) => Promise<Result>,
): Promise<Result> {
  const { client, server } = await connectTo(databaseUrl, startLimit, log);
  try {
    return await work(client, server);
  } finally {
    await client.end();
  }
}

/**
 * A pooler hands out process ids of its own, whatever product it is and whether it lends per transaction or per
 * session.
 */
export const isPooled = (client: Client, { processId }: Server): boolean =>
  "processID" in client && client.processID !== processId;

/** Times in another style would be misread, and we cannot set the style through a pooler. */
export const writesIsoTimes = ({ dateStyle }: Pick<Server, "dateStyle">): boolean => dateStyle.startsWith("ISO");

/** Returns a statement that applies a setting to this role in this database only. */
export const describeSetting = ({ database, user }: Client, setting: string): string =>
  `ALTER ROLE "${user}" IN DATABASE "${database}" SET ${setting}`;

/** Opens a connection without time limits, because migrating large tables takes long. */
async function connectTo(databaseUrl: string, startLimit: number, log: Logger) {
  const deadline = performance.now() + startLimit;
  for (let attempt = 1; ; attempt += 1) {
    const client = createClient(databaseUrl);
    // The caller gets the error. Without this, an error while nobody waits would end the process.
    client.on("error", (err) => log.debug({ err }, "Lost a database connection"));
    try {
      return { client, server: await openClient(client) };
    } catch (cause) {
      await client.end();
      if (!isUnreachable(cause) || performance.now() >= deadline) throw explain(client, cause);
      if (attempt === 1) log.warn({ err: cause }, "PostgreSQL does not answer yet: waiting for it");
    }
    await wait(500);
  }
}

/** Creates a client. Throws DatabaseCannotOpen for an unusable address, such as one that names a missing file. */
export function createClient(databaseUrl: string): Client {
  try {
    return new Client({
      ...nameConnections(databaseUrl),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
  } catch (cause) {
    const message = `The address of the database cannot be used: ${describeProblem(cause)}. Check DATABASE_URL.`;
    throw new DatabaseCannotOpen(message, { cause });
  }
}

/** Connects. A pooler accepts connections while its server is away, so only an answer counts. */
export async function openClient(client: Client): Promise<Server> {
  await client.connect();
  return identify(client);
}

const takes = (client: Client, setting: string): Promise<boolean> =>
  client.query(`set ${setting}`).then(
    () => true,
    () => false,
  );

async function identify(client: Client): Promise<Server> {
  // The client enforces the limit. It is missing from the types.
  const question = {
    text: `select split_part(current_setting('server_version'), ' ', 1) as version, pg_backend_pid() as "processId",
      current_setting('transaction_read_only')::boolean as "isReadOnly", current_setting('DateStyle') as "dateStyle"`,
    query_timeout: CONNECT_TIMEOUT_MS,
  };
  const { rows } = await client.query<Server>(question);
  const [server] = rows;
  if (!server) throw new Error("PostgreSQL does not say what it is");
  return server;
}

const name = ({ database, host, port }: Client) => `The database "${database}" on ${host}:${port}`;

const describeProblem = (cause: unknown) => (cause instanceof Error ? cause.message || cause.name : String(cause));

function explain(client: Client, cause: unknown): DatabaseCannotOpen {
  return new DatabaseCannotOpen(
    `${name(client)} cannot be opened as "${client.user}": ${describeProblem(cause)}. Check DATABASE_URL.`,
    { cause },
  );
}

const describeOld = (client: Client, { version }: Server) =>
  `${name(client)} is a PostgreSQL ${version}, which is too old: Nodebeat needs ${MIN_POSTGRES_VERSION} or newer.`;

const describeTimes = (client: Client, { dateStyle }: Server) =>
  `${name(client)} writes times as "${dateStyle}", which would be misread: ` +
  `run \`${describeSetting(client, "DateStyle = 'ISO'")}\`.`;

const describeHidden = (client: Client) =>
  `${name(client)} has its tables in a schema that "${client.user}" does not look into: ` +
  `run \`${describeSetting(client, "search_path = public")}\`.`;

const describeEmpty = (client: Client) =>
  `${name(client)} has no tables of Nodebeat. Check DATABASE_URL, or make them with \`npm run ops -- database migrate\`.`;

const describeAside = (client: Client, suffix: string) =>
  `${name(client)} has no tables of Nodebeat: a restore that did not end has put them aside, as public${suffix} and ` +
  `drizzle${suffix}. Run \`npm run ops -- database restore\` once more, or give these schemas their names back.`;

/** Describes what keeps an operator's migration from running. Any other error is our own mistake and stays as it is. */
function explainMigration(client: Client, error: unknown): unknown {
  const problem = describeProblem(error instanceof Error && error.cause ? error.cause : error);
  const code = findErrorCode(error);
  if (code === INSUFFICIENT_PRIVILEGE)
    return new DatabaseCannotOpen(
      `${name(client)} does not have the tables of this version, and "${client.user}" may not make them: ${problem}. ` +
        `Run \`npm run ops -- database migrate --grant-to ${client.user}\` as the role that owns the tables; after that Nodebeat starts as "${client.user}".`,
      { cause: error },
    );
  if (code === READ_ONLY)
    return new DatabaseCannotOpen(
      `${name(client)} does not have the tables of this version, and can only be read: ${problem}. ` +
        "Let DATABASE_URL name the one that takes writes.",
      { cause: error },
    );
  if (isUnreachable(error))
    return new DatabaseCannotOpen(`${name(client)} went away: ${problem}. Try again once it is back.`, {
      cause: error,
    });
  if (isLockedOut(error))
    return new DatabaseCannotOpen(
      `${name(client)} does not have the tables of this version, and others had one of them for too long: ${problem}. ` +
        "Try again once their transactions, such as a pg_dump's, are over.",
      { cause: error },
    );
  return error;
}
