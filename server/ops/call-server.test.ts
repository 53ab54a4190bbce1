import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestDeps } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { runCommand } from "./command.ts";
import { listenForOperations } from "./control-server.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-ops-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Returns what a command prints when it asks the server of a folder. */
async function ask(dataDir: string): Promise<string> {
  const said: string[] = [];
  const terminal = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
  const status = await runCommand(["administrators", "list"], { DATA_DIR: dataDir }, terminal);
  return `${status} ${said.join("\n")}`;
}

test("the command finds the server by a short path to its folder, and says if the path is too long for a socket", async () => {
  const folder = await createFolder();
  const [long, short] = [join(folder, "long".repeat(25)), join(folder, "short")];
  await mkdir(long);
  await symlink(long, short);
  onTestFinished(await listenForOperations(createTestDeps(database), short));
  expect(await ask(short)).toBe("0 There are no administrators.");
  const socket = join(long, "control", "ops.sock");
  expect(await ask(long)).toBe(`1 ${socket} is too long for the path of a socket. Set DATA_DIR as the server has it.`);
});

/** Runs the work as "nobody" if the user is root, who may read every file. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.("nobody");
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test("says if the folder belongs to another user, or if there is no database in it", async () => {
  const folder = await createFolder();
  await mkdir(join(folder, "control"));
  await chmod(join(folder, "control"), 0o000);
  expect(await asNobody(() => ask(folder))).toBe(
    `1 ${join(folder, "control")} belongs to another user. Run the command as the user of the server.`,
  );
  const file = join(folder, "file");
  await writeFile(file, "");
  expect(await ask(file)).toContain(`1 There is no database in ${join(file, "db")}.`);
});
