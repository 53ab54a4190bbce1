import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { createTestDeps, seedMember } from "../../../tests/support/api.ts";
import { BARE_ENV } from "../../../tests/support/bare-env.ts";
import { createDataFolder } from "../../../tests/support/empty-database.ts";
import { recordContributions } from "../../agent-insights/service.ts";
import { openDatabase, type Db } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import { createLog } from "../../log/log.ts";

const command = fileURLToPath(new URL("./ledger.command.ts", import.meta.url));

function runCommand(dataDir: string, ...args: string[]) {
  const env = { ...BARE_ENV, DATA_DIR: dataDir };
  const { status, stderr, stdout } = spawnSync(process.execPath, [command, ...args], { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the command prints what differs, repairs it when told to, and its exit code says how it went", async () => {
  const dataDir = await createDataFolder();
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const opened = await openDatabase({ dataDir, log: createLog({ level: "silent" }) });
  await spoil(opened.db);
  const inUse = runCommand(dataDir);
  await opened.close();

  expect(inUse).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("Stop it first") });
  expect(runCommand(dataDir)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^points_totals of [-\w]+: others 12 should be 2\n1 difference\. Run .+--fix/),
  });
  expect(runCommand(dataDir, "--fix")).toMatchObject({ status: 0, stdout: expect.stringContaining("put right") });
});

async function spoil(db: Db) {
  const deps = createTestDeps({ db });
  const { user } = await seedMember(deps);
  await inTransaction(db, (tx) =>
    recordContributions(
      tx,
      [{ userId: user.id, kind: "post", reference: "1", title: "A post", gatheredAt: deps.now() }],
      deps.env,
    ),
  );
  await db.execute(sql`update points_totals set others = 12`);
}
