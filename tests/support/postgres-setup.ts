import { pino } from "pino";
import { openDatabase } from "../../server/db/client.ts";
import { startPostgres } from "./postgres.ts";
import { runOn, TEMPLATE } from "./test-database.ts";

/** Runs once for the project: a PostgreSQL server, and on it the database that each test file gets a copy of. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await runOn(server.url, `create database ${TEMPLATE}`);
  const url = new URL(server.url);
  url.pathname = TEMPLATE;
  const template = await openDatabase({ databaseUrl: url.href, dataDir: "", log: pino({ level: "silent" }) });
  await template.close();
  process.env.TEST_DATABASE_URL = server.url;
  return () => server.stop();
}
