import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, gt, inArray, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { readAudit } from "../../../tests/support/api/administration.ts";
import { createTestDeps, seedMember, SILENT } from "../../../tests/support/api/api.ts";
import { createDataFolder } from "../../../tests/support/database/empty-database.ts";
import { eraseAtOnce, eraseDueAccounts } from "../../../tests/support/api/jobs.ts";
import { BARE_ENV } from "../../../tests/support/servers/bare-env.ts";
import { QUICK_ENGINE } from "../../../tests/support/servers/quick-engine.ts";
import { createEmbeddedProvider } from "../../auth/provider/embedded.ts";
import { openDatabase } from "../../db/client.ts";
import { accountDeletions, backgroundJobs } from "../../db/schema.ts";
import { runCommand } from "../command.ts";
import { listenForOperations } from "../control-server.ts";

/** Returns the command of an operator with this data folder. The command returns its exit code and what it printed. */
const createOps =
  (dataDir: string) =>
  async (...args: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
    const status = await runCommand(args, { DATA_DIR: dataDir }, terminal);
    return `${status} ${(out.length > 0 ? out : err).join("\n")}`;
  };

async function startOn(dataDir: string) {
  const database = await openDatabase({ dataDir, log: SILENT });
  const deps = createTestDeps(database);
  const stop = await listenForOperations({ ...deps, readBackup: database.readBackup }, dataDir);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= stop().then(() => database.close()));
  onTestFinished(close);
  return { deps, close };
}

async function createFolder(made: Promise<string>) {
  const folder = await made;
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const why = ["--reason", "Restored the backup of Sunday"];

test("after restoring a backup, deletes accounts again that were deleted since, and no others", async () => {
  const dataDir = await createFolder(createDataFolder());
  const file = join(await createFolder(mkdtemp(join(tmpdir(), "nodebeat-backup-"))), "sunday");
  const ops = createOps(dataDir);
  const former = await startOn(dataDir);
  const [left, leaves, stays, before] = [
    await seedMember(former.deps, { email: "ada@example.com" }),
    await seedMember(former.deps, { email: "ben@example.com" }),
    await seedMember(former.deps),
    await seedMember(former.deps),
  ];
  await eraseAtOnce(former.deps, before.user.id);
  const requestedAt = new Date();
  const dueAt = new Date(requestedAt.getTime() + 86_400_000);
  await former.deps.db.insert(accountDeletions).values({ userId: leaves.user.id, requestedAt, dueAt });
  expect(await ops("database", "backup", "--to", file)).toMatch(/^0 /);
  await former.deps.db.delete(accountDeletions);
  const joined = await seedMember(former.deps);
  for (const { user } of [left, leaves, joined]) await eraseAtOnce(former.deps, user.id);
  await former.close();
  const restored = await ops("database", "restore", "--from", file, "--replace");
  const [kept = ""] = /\S+postgres-until-\S+(?=:)/.exec(restored) ?? [];
  expect(restored).toContain("members returned --kept");

  expect(await ops("members", "returned", "--kept", kept)).toBe(
    `0 ${left.user.id}  ada@example.com\n${leaves.user.id}  ben@example.com\n2 in all.`,
  );
  const server = await startOn(dataDir);
  const again = () => ops("members", "delete-again", "--kept", kept, ...why);
  expect(await ops("members", "delete-again", "--kept", kept)).toMatch(/^2 Give a reason/);
  const soon = "A running server deletes them within a minute or two. If one stays, look at `jobs list`.";
  expect(await again()).toBe(`0 ada@example.com  done\nben@example.com  done\n${soon}`);
  expect(await ops("members", "returned", "--kept", kept)).toMatch(/^0 \S+ {2}ada@example\.com {2}is being deleted\n/);
  expect(await again()).toMatch(/^0 ada@example\.com {2}was being deleted already\nben@example\.com {2}was being/);

  const { deps } = server;
  // An attempt that failed is repeated at once.
  const later = new Date(Date.now() + 3_600_000);
  const isTheirs = inArray(backgroundJobs.key, [left.user.id, leaves.user.id]);
  await deps.db.update(backgroundJobs).set({ dueAt: later, lastError: "The disk is full." }).where(isTheirs);
  expect(await again()).toMatch(/^0 ada@example\.com {2}was being deleted already\nben@example\.com {2}was being/);
  expect(await deps.db.$count(backgroundJobs, and(isTheirs, gt(backgroundJobs.dueAt, sql`now()`)))).toBe(0);
  // Erases a few at once. This also does what is left for the account that was deleted before the backup.
  const erase = async () => {
    await expect.poll(() => eraseDueAccounts(deps, createEmbeddedProvider(deps))).toBe(0);
  };
  await erase();
  // Skip the minute in which calls under way end.
  await deps.db.update(accountDeletions).set({ closedAt: new Date(0) });
  await deps.db.execute(sql`update background_jobs set due_at = 'epoch'`);
  await erase();
  const { rows } = await deps.db.execute(sql`select id from users where deleted_at is null`);
  expect(rows).toEqual([{ id: stays.user.id }]);
  expect(await again()).toBe("0 No deleted account is there again.");
  expect(await readAudit(deps.db)).toMatchObject(
    [left, leaves].map(({ user }) => ({ action: "member.deleted-again", subjectId: user.id, actor: "operator" })),
  );

  // What was kept is unchanged, and no temporary folder is left.
  expect((await readdir(join(dataDir, "db"))).filter((name) => name.startsWith("look-"))).toEqual([]);
});

test("refuses a folder that no restore kept, without opening it", async () => {
  const dataDir = await createFolder(createDataFolder());
  const ops = createOps(dataDir);
  expect(await ops("members", "returned")).toMatch(/^2 Say what the restore kept, with --kept/);
  expect(await ops("members", "returned", "--kept", join(dataDir, "db", "postgres"))).toMatch(
    /^2 Name the folder that the restore kept/,
  );
  // The database that is in use, by another name.
  const linked = await createFolder(createDataFolder());
  const aside = join(linked, "db", "postgres-until-2026-11-22T03-15-00-000Z");
  await rename(join(linked, "db", "postgres"), aside);
  await symlink(aside, join(linked, "db", "postgres"));
  expect(await ops("members", "returned", "--kept", aside)).toMatch(/^2 Name the folder that the restore kept/);
  const none = join(dataDir, "db", "postgres-until-2026-11-22T03-15-00-000Z");
  expect(await ops("members", "returned", "--kept", none, "--json")).toBe(
    `1 ${JSON.stringify({ error: "UNAVAILABLE", message: `There is no database in ${none}.` })}`,
  );
});

test("a command that is killed leaves a temporary folder, which the next one removes", async () => {
  const [dataDir, former] = [await createFolder(createDataFolder()), await createFolder(createDataFolder())];
  const kept = join(dataDir, "db", "postgres-until-2026-11-22T03-15-00-000Z");
  await rename(join(former, "db", "postgres"), kept);
  const findLeft = async () => (await readdir(join(dataDir, "db"))).filter((name) => name.startsWith("look-"));
  const command = [...QUICK_ENGINE, "server/ops/ops.command.ts", "members", "returned", "--kept", kept];
  const child = spawn(process.execPath, command, { env: { ...BARE_ENV, DATA_DIR: dataDir }, stdio: "ignore" });
  await expect.poll(findLeft).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await findLeft()).toHaveLength(1);
  expect(await createOps(dataDir)("members", "returned", "--kept", kept)).toBe("0 No deleted account is there again.");
  expect(await findLeft()).toEqual([]);
});
