import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { StartError } from "../../start-error.ts";
import { readBackupManifest } from "./manifest.ts";
import { requireFree, writeBackup } from "./write.ts";

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-write-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Begins a backup, which goes on until `end` is called. */
async function begin(file: string, text: string) {
  const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* read() {
    yield Buffer.from(text);
    await ending.promise;
    yield Buffer.from(text);
  }
  const about = { engine: "embedded", version: "18", schema: { reached: null, reachedAt: 0 } } as const;
  requireFree(file);
  const written = writeBackup(file, read(), about, { report: () => begun.resolve() });
  await begun.promise;
  async function end() {
    ending.resolve();
    return written;
  }
  return { end };
}

test("if two backups write to one file, the first to end is complete, and the other says that the file exists", async () => {
  const folder = await createFolder();
  const file = join(folder, "nightly");
  const [first, second] = [await begin(file, "one"), await begin(file, "two, which is longer")];
  await first.end();
  await expect(second.end()).rejects.toThrow(
    new StartError(`The file ${file} already exists. Choose another name: nothing is overwritten.`),
  );
  expect(await readBackupManifest(file, "embedded", () => {})).toMatchObject({ bytes: 6 });
  expect((await readdir(folder)).toSorted()).toEqual(["nightly", "nightly.manifest.json"]);
});

test("removes the partial file of a killed backup once it has not been written to for a day", async () => {
  const folder = await createFolder();
  // No process has this id.
  const left = `99999999-${crypto.randomUUID()}.part`;
  const [old, young, strangers] = [`monday.${left}`, `tuesday.${left}`, "monday.part"];
  for (const name of [old, young, strangers]) await writeFile(join(folder, name), "half");
  for (const name of [old, strangers]) await utimes(join(folder, name), 0, 0);
  const backup = await begin(join(folder, "wednesday"), "one");
  await backup.end();
  expect(new Set(await readdir(folder))).toEqual(new Set([young, strangers, "wednesday", "wednesday.manifest.json"]));
});

test("makes a backup even if the partial file of an earlier one cannot be removed", async () => {
  const folder = await createFolder();
  const left = `monday.99999999-${crypto.randomUUID()}.part`;
  // No user can remove a folder like a file, not even root, who could remove another user's file.
  await mkdir(join(folder, left));
  await utimes(join(folder, left), 0, 0);
  const backup = await begin(join(folder, "tuesday"), "one");
  await backup.end();
  expect(new Set(await readdir(folder))).toEqual(new Set([left, "tuesday", "tuesday.manifest.json"]));
});

test("leaves no backup if the manifest's name is taken in the meantime", async () => {
  const folder = await createFolder();
  const file = join(folder, "nightly");
  const backup = await begin(file, "one");
  await writeFile(`${file}.manifest.json`, "somebody's");
  await expect(backup.end()).rejects.toBeInstanceOf(StartError);
  expect(await readdir(folder)).toEqual(["nightly.manifest.json"]);
});
