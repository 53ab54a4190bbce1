import { resolve } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { openWithoutMigrating } from "../../db/client.ts";
import { hasDatabase } from "../../db/embedded/embedded-server.ts";
import { inspectDatabase, type DatabaseFacts } from "../../db/inspect.ts";
import {
  queryServer,
  describeSetting,
  isPooled,
  MIN_POSTGRES_VERSION,
  writesIsoTimes,
} from "../../db/prepare-server.ts";
import { findErrorCode, INSUFFICIENT_PRIVILEGE } from "../../db/unavailable.ts";
import type { Env } from "../../env.ts";
import { findIdleRetentions } from "../../months/idle-retention.ts";
import { describeBytes } from "../backup/manifest.ts";
import { findFacts } from "../facts.ts";
import { createOpsLog } from "../ops-log.ts";
import type { Check, Examination } from "./check.ts";

const log = createOpsLog("silent");
const NAME = "database";
const TIMEOUT_MS = 3_000;
/** How far two clocks may differ before times look wrong, and before sessions break, in milliseconds. */
const NOTICED = 2_000;
const HARMFUL = 60_000;

const GRANT = "As the owner of the tables: npm run ops -- database migrate --grant-to <role>";

const DIVIDE = "As the owner of the tables: npm run ops -- database partition --reason <why>";

const ok = (says: string): Check => ({ name: NAME, state: "ok", says });
const warning = (says: string, todo: string): Check => ({ name: NAME, state: "warning", says, todo });
const broken = (says: string, todo: string): Check => ({ name: NAME, state: "broken", says, todo });

/** Checks the database: whether it can be reached, what it is, and whether the server can work with it. */
export const database: Examination = {
  name: NAME,
  async examine({ env, given }) {
    const { apiUrl, databasePoolSize, databaseUrl, dataDir } = env;
    if (apiUrl) return [ok("None is needed: the backend at API_URL has one.")];
    if (given.DATABASE_URL && !databaseUrl)
      return [broken("It cannot be checked: DATABASE_URL is wrong.", "Correct DATABASE_URL.")];
    if (!databaseUrl) return examineEmbedded(env, dataDir);
    return queryServer(databaseUrl, TIMEOUT_MS, log, async (client, server) => {
      const facts = await inspectDatabase(drizzle(client)).catch((error: unknown) => {
        if (findErrorCode(error) === INSUFFICIENT_PRIVILEGE) return undefined;
        throw error;
      });
      if (!facts) return [broken(`"${client.user}" cannot see its tables.`, GRANT)];
      const pooled = isPooled(client, server);
      const where = `PostgreSQL ${facts.version}, ${describeBytes(facts.bytes)}, as "${facts.role}"${pooled ? ", through a pooler" : ""}.`;
      const says = `It writes times as "${server.dateStyle}", which would be misread.`;
      const todo = `As its owner: ${describeSetting(client, "DateStyle = 'ISO'")}`;
      const times = writesIsoTimes(server) ? [] : [broken(says, todo)];
      return [ok(where), ...times, ...judge(env, facts), ...(pooled ? [] : judgeConnections(facts, databasePoolSize))];
    });
  },
};

async function examineEmbedded(env: Env, dataDir: string): Promise<Check[]> {
  const running = await findFacts(dataDir);
  if (running)
    return [ok(`The server runs on its embedded one: ${describeBytes(running.bytes)}.`), ...judge(env, running)];
  if (!hasDatabase(resolve(dataDir, "db"))) return [ok("The first start creates the embedded one.")];
  const opened = await openWithoutMigrating({ dataDir, log });
  try {
    const facts = await inspectDatabase(opened.db);
    return [ok(`No server runs; the embedded one can be opened: ${describeBytes(facts.bytes)}.`), ...judge(env, facts)];
  } finally {
    await opened.close();
  }
}

function judge(env: Env, facts: DatabaseFacts): Check[] {
  const { encoding, isReadOnly, schema, undivided, version, withoutRights } = facts;
  return [
    ...(Number.parseInt(version) < MIN_POSTGRES_VERSION
      ? [broken(`PostgreSQL ${version} is too old.`, `Use ${MIN_POSTGRES_VERSION} or newer.`)]
      : []),
    ...(isReadOnly
      ? [broken("It takes no writes.", "Set DATABASE_URL to the primary, or end its read-only mode.")]
      : []),
    ...(encoding === "UTF8"
      ? []
      : [broken(`Its encoding is ${encoding}.`, "Create a database with the encoding UTF8.")]),
    ...judgeSchema(schema),
    ...(withoutRights.length > 0
      ? [
          broken(
            `The role cannot read and write ${withoutRights.slice(0, 5).join(", ")}${withoutRights.length > 5 ? " and others" : ""}.`,
            GRANT,
          ),
        ]
      : []),
    ...findIdleRetentions(env, undivided).map((setting) =>
      warning(`${setting} has no effect until its table is divided.`, DIVIDE),
    ),
    ...judgeClock(facts),
  ];
}

function judgeSchema({ isLater, missing, reached }: DatabaseFacts["schema"]): Check[] {
  if (isLater)
    return [warning("Its schema belongs to a later version.", "This version works with it, but upgrade soon.")];
  if (missing.length === 0) return [ok(`Its schema is up to date: ${reached}.`)];
  return [
    warning(
      `Its schema lacks ${missing.length === 1 ? "a migration" : `${missing.length} migrations`}: ${missing.join(", ")}.`,
      "Start the server as the owner of the tables, or run npm run ops -- database migrate as that role.",
    ),
  ];
}

function judgeConnections({ connections, mostConnections }: DatabaseFacts, poolSize: number): Check[] {
  const says = `${connections} of ${mostConnections} connections are open; each process may take ${poolSize}.`;
  if (poolSize >= mostConnections)
    return [broken(says, "Set DATABASE_POOL_SIZE so that all processes together stay below max_connections.")];
  if (connections + poolSize > mostConnections)
    return [warning(says, "Another process might get none: lower DATABASE_POOL_SIZE, or raise max_connections.")];
  return [ok(says)];
}

function judgeClock({ clockAhead, clockError }: DatabaseFacts): Check[] {
  const difference = Math.max(0, Math.abs(clockAhead) - clockError);
  if (difference < NOTICED) return [];
  const says = `Its clock is ${Math.round(difference / 1000)} s ${clockAhead > 0 ? "ahead of" : "behind"} this machine's.`;
  const todo = "Synchronise both clocks with NTP.";
  return [difference < HARMFUL ? warning(says, todo) : broken(says, todo)];
}
