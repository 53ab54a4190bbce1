import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestApi, createTestClock, SILENT, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createDataFolder } from "../../tests/support/database/empty-database.ts";
import { QUICK_ENGINE } from "../../tests/support/servers/quick-engine.ts";
import { seedFullMember } from "../../tests/support/seeds/full-member.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { openDatabase } from "../db/client.ts";
import { users } from "../db/schema.ts";
import { releaseAllLeases } from "../jobs/queries.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { DELETION_GRACE_SECONDS, requestDeletion } from "./contract.ts";

const fixture = fileURLToPath(new URL("erase.fixture.ts", import.meta.url));
// In the past, so that a grace period that is over by this clock is over by the database's clock too.
const clock = createTestClock("2026-01-20T12:00:00.000Z");

async function open(dataDir: string) {
  const database = await openDatabase({ dataDir, log: SILENT });
  return { database, api: createTestApi(database, { now: clock.now }) };
}

test("a process killed during a deletion leaves the account intact, and the next one deletes it", async () => {
  const dataDir = await createDataFolder();
  try {
    const before = await open(dataDir);
    const { token, user } = await seedFullMember(before.api, clock);
    await before.api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
    clock.advance(DELETION_GRACE_SECONDS * 1000);
    await eraseDueAccounts(before.api.deps, createEmbeddedProvider(before.api.deps));
    clock.advance(60_000);
    await before.database.close();

    const child = spawn(process.execPath, [...QUICK_ENGINE, fixture, dataDir, clock.now().toISOString()], {
      stdio: "inherit",
    });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);

    const { api, database } = await open(dataDir);
    const member = () => database.db.query.users.findFirst({ where: eq(users.id, user.id) });
    expect(await member()).toMatchObject({ email: user.email, deletedAt: null });
    expect(await checkLedger(database.db)).toEqual([]);
    // As the only process does when it starts.
    await releaseAllLeases(database.db, clock.now());
    expect(await eraseDueAccounts(api.deps, createEmbeddedProvider(api.deps))).toBe(1);
    expect(await member()).toMatchObject({ email: user.id, deletedAt: clock.now() });
    expect(await checkLedger(database.db)).toEqual([]);
    await database.close();
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
