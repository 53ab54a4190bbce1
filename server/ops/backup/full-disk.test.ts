import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createTestApi, seedMember, SILENT } from "../../../tests/support/api/api.ts";
import { BARE_ENV } from "../../../tests/support/servers/bare-env.ts";
import { createDataFolder } from "../../../tests/support/database/empty-database.ts";
import { openDatabase } from "../../db/client.ts";
import { createPlayedDisk, mountSmallDisk, type SmallDisk } from "../../db/embedded/small-disk.fixture.ts";
import { readUser } from "../../profile/contract.ts";
import { listenForOperations } from "../control-server.ts";

const locate = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Starts a server on a disk with enough room, with one member. */
async function startServer() {
  const dataDir = await createDataFolder();
  const database = await openDatabase({ dataDir, log: SILENT });
  const api = createTestApi(database);
  const stop = await listenForOperations({ ...api.deps, readBackup: database.readBackup }, dataDir);
  onTestFinished(async () => {
    await stop();
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  const { token } = await seedMember(api.deps);
  return { dataDir, isWell: async () => (await api.call(readUser, { token })).status === 200 };
}

/** Runs the command as an operator does, with the backup on this disk. */
async function backUp(dataDir: string, disk: SmallDisk) {
  const program = ["--import", locate("../../db/embedded/full-disk.fixture.ts"), locate("../ops.command.ts")];
  const typed = ["database", "backup", "--to", join(disk.folder, "nodebeat.backup")];
  const env = { ...BARE_ENV, DATA_DIR: dataDir, DISK_SWITCH: disk.switch };
  // Without the settings that a developer may have in .env.
  const place = { cwd: disk.folder, env };
  const child = spawn(process.execPath, [...program, ...typed], { ...place, stdio: ["ignore", "pipe", "pipe"] });
  const [said, told, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, said, last: told.trimEnd().split("\n").at(-1) };
}

test("a backup to a full disk says so and leaves no file, and the server keeps running", async () => {
  const disk = mountSmallDisk() ?? createPlayedDisk();
  onTestFinished(() => disk.remove());
  await mkdir(disk.folder);
  const { dataDir, isWell } = await startServer();

  disk.fill("full");
  const last = `The disk of ${join(disk.folder, "nodebeat.backup")} is full: there is no backup. Free some space.`;
  expect(await backUp(dataDir, disk)).toEqual({ status: 1, said: "", last });
  expect(await readdir(disk.folder)).toEqual([]);
  expect(await isWell()).toBe(true);

  disk.empty();
  expect(await backUp(dataDir, disk)).toMatchObject({ status: 0 });
  expect(await readdir(disk.folder)).toEqual(["nodebeat.backup", "nodebeat.backup.manifest.json"]);
});
