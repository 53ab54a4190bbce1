import { resolve } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import * as z from "zod";
import { openDatabase, openWithoutMigrating, type Database } from "../../db/client.ts";
import { hasDatabase } from "../../db/embedded/embedded-server.ts";
import { grantUse } from "../../db/grant-use.ts";
import { inspectDatabase, type DatabaseFacts } from "../../db/inspect.ts";
import { queryServer, requireTables } from "../../db/prepare-server.ts";
import { describeSchema } from "../../db/schema-state.ts";
import { readDatabaseEnv } from "../ops-env.ts";
import { StartError } from "../../start-error.ts";
import { backUpEmbedded } from "../backup/embedded.ts";
import { describeBytes, manifestOf } from "../backup/manifest.ts";
import { backUpPostgres, restorePostgres } from "../backup/postgres.ts";
import { restoreEmbedded } from "../backup/restore-embedded.ts";
import { findFacts } from "../facts.ts";
import { formatCount } from "../../format-count.ts";
import { atHome, reading, type Home, type Noun } from "../operation.ts";
import { createOpsLog } from "../ops-log.ts";
import { resolveTyped } from "../typed-path.ts";
import { monthVerbs } from "./months.ts";

/** How long to wait for a server that is not up yet, in milliseconds. */
const TIMEOUT_MS = 30_000;

const log = createOpsLog("warn");

export const database: Noun = {
  summary: "its schema, backups, and tables that are divided by month",
  verbs: {
    show: {
      ...reading({
        usage: "",
        summary: "shows which database it is, and whether its schema is up to date",
        input: z.object({}),
        read: async ({ db }) => inspectDatabase(db),
        describe: ({ bytes, role, schema, version }) => [
          `PostgreSQL ${version}, ${describeBytes(bytes)}, as "${role}"`,
          formatSchema(schema),
        ],
      }),
      perform: show,
    },
    migrate: atHome({
      usage: "[--check] [--grant-to <role>]",
      summary: "brings the schema up to date; --check only lists what is missing, and exits with 1 if anything is",
      options: { check: "flag", grantTo: "text" },
      input: z.object({ check: z.boolean().default(false), grantTo: z.string().min(1).optional() }),
      perform: migrate,
      describe: ({ done, grantedTo, schema }) => [
        ...done.map((name) => `${name}  done`),
        ...(done.length > 0 ? [] : [formatSchema(schema)]),
        ...(grantedTo ? [`"${grantedTo}" can run Nodebeat, and owns nothing.`] : []),
      ],
      isRefused: ({ schema }) => schema.missing.length > 0,
    }),
    backup: atHome({
      usage: "--to <file>",
      summary: "writes the whole database to a new file, while servers go on working",
      options: { to: "text" },
      input: z.object({ to: z.string("Name the file to write, with --to <file>.").min(1) }),
      async perform(home, { to }) {
        const { dataDir, databaseUrl } = readDatabaseEnv(home.settings);
        const file = resolveTyped(to, home.settings);
        const manifest = databaseUrl
          ? await backUpPostgres({ ...home, databaseUrl, log }, file)
          : await backUpEmbedded({ ...home, dataDir, log }, file);
        return { ...manifest, file, manifest: manifestOf(file) };
      },
      describe: ({ bytes, file, manifest }) => [
        `${file}  ${describeBytes(bytes)}`,
        `${manifest}  its manifest`,
        WITHOUT,
      ],
    }),
    restore: atHome({
      usage: "--from <file> [--replace]",
      summary: "restores a backup into an empty database, and checks the ledger; --replace moves aside what is there",
      options: { from: "text", replace: "flag" },
      input: z.object({
        from: z.string("Name the backup to restore, with --from <file>.").min(1),
        replace: z.boolean().default(false),
      }),
      async perform(home, { from, replace: replaces }) {
        const { dataDir, databaseUrl } = readDatabaseEnv(home.settings);
        const file = resolveTyped(from, home.settings);
        return databaseUrl
          ? restorePostgres({ ...home, databaseUrl, log }, file, { replaces })
          : { ...(await restoreEmbedded({ ...home, dataDir, log }, file, { replaces })), extensions: [] };
      },
      describe: ({ differences, entries, extensions, kept, members }) => [
        `Restored ${formatCount(members, "member")} and ${formatCount(entries, "entry", "entries")} of the ledger.`,
        ...(kept ? [`What was there before is kept as ${kept}: remove it once all is well.`, AGAIN] : []),
        ...(extensions.length > 0 ? [describeExtensions(extensions)] : []),
        ...differences,
        differences.length === 0
          ? "No difference: every sum is what the ledger says."
          : `${formatCount(differences.length, "sum differs", "sums differ")}: start the server and run \`npm run ops -- ledger rebuild --reason <why>\`.`,
        "Start with the SESSION_SECRET of the backup's time, alone or as SESSION_SECRET_OTHER.",
      ],
      isRefused: ({ differences }) => differences.length > 0,
    }),
    ...monthVerbs,
  },
};

const AGAIN =
  "Before that, delete the accounts again that were deleted since the backup: `npm run ops -- members returned --kept …` " +
  "lists them, and `members delete-again` deletes them.";

const describeExtensions = (extensions: string[]) =>
  "Extensions moved with it and would be removed with it. First have their owner run " +
  `${extensions.map((name) => `\`alter extension ${name} set schema public\``).join(" and ")}.`;

const WITHOUT =
  "It has everything about members, and no settings: keep SESSION_SECRET (a demo's is DATA_DIR/session-secret), the keys of " +
  "the chain and the other secrets elsewhere. Without SESSION_SECRET queued mail, open codes and the secrets of webhooks " +
  "are lost.";

function formatSchema({ isLater, missing, reached }: DatabaseFacts["schema"]): string {
  if (isLater) return "The schema belongs to a later version.";
  if (missing.length === 0) return `The schema is up to date: ${reached}.`;
  return `Migrations to run: ${missing.join(", ")}.`;
}

/** Shows the database unchanged. To open it in the usual way would bring its schema up to date first. */
async function show({ settings }: Home): Promise<DatabaseFacts> {
  const { dataDir, databaseUrl } = readDatabaseEnv(settings);
  if (!databaseUrl) return (await findFacts(dataDir)) ?? inspectAndClose(await openWithoutMigrating({ dataDir, log }));
  return queryServer(databaseUrl, TIMEOUT_MS, log, async (client) => {
    await requireTables(client);
    return inspectDatabase(drizzle(client));
  });
}

async function migrate({ settings }: Home, { check, grantTo }: { check: boolean; grantTo?: string | undefined }) {
  const { dataDir, databaseUrl } = readDatabaseEnv(settings);
  if (!databaseUrl) {
    if (grantTo) throw new StartError("The embedded database has no roles: leave --grant-to out.");
    return migrateEmbedded(dataDir, check);
  }
  const read = () => queryServer(databaseUrl, TIMEOUT_MS, log, (client) => inspectDatabase(drizzle(client)));
  const { schema: before } = await read();
  if (check) return { done: [], schema: before, grantedTo: null };
  const opened = await openDatabase({ databaseUrl, databasePoolSize: 1, dataDir, log });
  await opened.close();
  if (grantTo) await queryServer(databaseUrl, TIMEOUT_MS, log, (client) => grantUse(client, grantTo));
  return { done: before.missing, schema: (await read()).schema, grantedTo: grantTo ?? null };
}

/**
 * Migrates if no server runs. A running server did so when it started. One of another version will when it is upgraded.
 */
async function migrateEmbedded(dataDir: string, check: boolean) {
  const facts = await findFacts(dataDir);
  if (facts) return { done: [], schema: facts.schema, grantedTo: null };
  // A database that does not exist yet lacks every migration, as an empty one does.
  if (check && !hasDatabase(resolve(dataDir, "db"))) return { done: [], schema: describeSchema(0), grantedTo: null };
  const unchanged = await openWithoutMigrating({ dataDir, creates: true, log });
  const { schema: before } = await inspectAndClose(unchanged);
  if (check || before.missing.length === 0) return { done: [], schema: before, grantedTo: null };
  const opened = await openDatabase({ dataDir, log });
  return { done: before.missing, schema: (await inspectAndClose(opened)).schema, grantedTo: null };
}

async function inspectAndClose(opened: Database): Promise<DatabaseFacts> {
  try {
    return await inspectDatabase(opened.db);
  } finally {
    await opened.close();
  }
}
