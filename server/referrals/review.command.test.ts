import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api.ts";
import { BARE_ENV } from "../../tests/support/bare-env.ts";
import { createDataFolder } from "../../tests/support/empty-database.ts";
import { openDatabase, type Db } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { createLog } from "../log/log.ts";
import { recordReferral } from "./service.ts";

const command = fileURLToPath(new URL("./review.command.ts", import.meta.url));

function runCommand(dataDir: string, ...args: string[]) {
  const env = { ...BARE_ENV, DATA_DIR: dataDir };
  const { status, stderr, stdout } = spawnSync(process.execPath, [command, ...args], { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

async function hold(db: Db, name: string) {
  const deps = createTestDeps({ db });
  const [inviter, friend] = [
    await seedMember(deps, { email: `${name}@example.com` }),
    await seedMember(deps, { email: `${name}+2@example.com` }),
  ];
  const joining = { inviterId: inviter.user.id, inviteeId: friend.user.id, at: deps.now() };
  return (await inTransaction(db, (tx) => recordReferral(tx, joining))) ?? "";
}

test("the command lists what is held and decides on it, and says what does not work", async () => {
  const dataDir = await createDataFolder();
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const opened = await openDatabase({ dataDir, log: createLog({ level: "silent" }) });
  const [ada, bob] = [await hold(opened.db, "ada"), await hold(opened.db, "bob")];
  const inUse = runCommand(dataDir);
  await opened.close();

  expect(inUse).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("Stop it first") });
  expect(runCommand(dataDir)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      new RegExp(
        `^${ada}  ada@example.com → ada\\+2@example.com  the same mailbox as another account  since .+\n${bob}`,
      ),
    ),
  });
  expect(runCommand(dataDir, "--release", ada, "--refuse", ada)).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^Either --release or --refuse, not both\.[^]+--release <id>/),
  });
  expect(runCommand(dataDir, "--release", "ada@example.com")).toMatchObject({
    status: 1,
    stdout: "",
    stderr: "No held invitation has this id.\n",
  });
  expect(runCommand(dataDir, "--release", ada)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Released"),
  });
  expect(runCommand(dataDir, "--refuse", bob)).toMatchObject({ status: 0, stdout: expect.stringContaining("Refused") });
  expect(runCommand(dataDir, "--refuse", ada)).toMatchObject({
    status: 1,
    stderr: "No held invitation has this id.\n",
  });
  expect(runCommand(dataDir)).toMatchObject({ status: 0, stdout: "Nothing is held.\n" });
  expect(runCommand(dataDir, "--relaese", ada)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/--relaese[^]+--release <id>/),
  });
});
