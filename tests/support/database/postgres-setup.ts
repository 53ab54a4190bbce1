import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../../server/db/client.ts";
import { startPostgres } from "./postgres.ts";
import { runOn, TEMPLATE } from "./test-database.ts";

/** Runs once for the project: starts a PostgreSQL server with the database that each test file gets a copy of. */
export async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const env: Record<string, string | undefined> = { ...config.env };
  const server = await startPostgres(env.TEST_POSTGRES_BIN ? { programs: env.TEST_POSTGRES_BIN } : {});
  await runOn(server.url, `create database ${TEMPLATE}`);
  const url = new URL(server.url);
  url.pathname = TEMPLATE;
  const template = await openDatabase({ databaseUrl: url.href, dataDir: "", log: pino({ level: "silent" }) });
  await template.close();
  // Set for this project only: another one may use another server.
  config.env = { ...config.env, TEST_DATABASE_URL: server.url };
  return () => server.stop();
}
