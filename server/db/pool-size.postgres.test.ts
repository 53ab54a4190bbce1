import { sql } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { takeConnections } from "../../tests/support/database/take-connections.ts";
import { createTestDatabase, type TestDatabase } from "../../tests/support/database/test-database.ts";
import { runAsCaller } from "../fair-share/caller.ts";
import { readUser } from "../profile/contract.ts";
import { openDatabase, type Database } from "./client.ts";

const SIZE = 3;
let whole: TestDatabase;
let database: Database;

beforeAll(async () => {
  whole = await createTestDatabase();
  await whole.reset();
  const databaseUrl = whole.pool.options.connectionString;
  const log = pino({ level: "silent" });
  database = await openDatabase({ databaseUrl, databasePoolSize: SIZE, dataDir: "", log });
});
afterAll(async () => {
  await database.close();
  await whole.close();
});

test("a process opens as many connections as configured", async () => {
  const find = sql`select pg_backend_pid() as pid`;
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, index) => runAsCaller(`caller ${index}`, async () => database.db.execute(find))),
  );
  expect(new Set(found.map(({ rows }) => rows[0]?.pid)).size).toBe(SIZE);
});

test("background work leaves one connection to members", async () => {
  const { pool } = database;
  const busy = await Promise.all(Array.from({ length: SIZE - 1 }, () => pool.connect()));
  const more = pool.connect();
  const { rows } = await runAsCaller("ada", () => pool.query<{ one: number }>("select 1 as one"));
  expect(rows).toEqual([{ one: 1 }]);
  for (const client of busy) client.release();
  (await more).release();
});

test("a caller that waits too long for a connection gets 503 with Retry-After", async () => {
  const api = createTestApi(database);
  const { token } = await seedMember(api.deps);
  const giveBack = await takeConnections(database.pool);
  const refused = await api.call(readUser, { token });
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
  giveBack();
  // The server was silent for seconds, so it has to be checked first.
  await expect.poll(async () => (await api.call(readUser, { token })).status).toBe(200);
});
