import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, watch } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createDataFolder } from "../../../tests/support/database/empty-database.ts";
import { QUICK_ENGINE } from "../../../tests/support/servers/quick-engine.ts";
import { openDatabase, type Database } from "../client.ts";
import { restoreAfterPowerCut } from "./power-cut.fixture.ts";
import { killWriter } from "./writer-process.fixture.ts";

let folder: string;
let database: Database | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nodebeat-crash-"));
});

afterEach(async () => {
  await database?.close();
  database = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Reads all numbers, after checking that each transaction exists as a whole or not at all. */
async function readNumbers(dataDir: string): Promise<Set<number>> {
  database = await openDatabase({ dataDir, log: pino({ level: "silent" }) });
  const written = await database.pool.query<{ number: number }>("select number from written");
  const sums = await database.pool.query<{ numbers: string }>("select numbers from sums");
  await database.close();
  const numbers = written.rows.map(({ number }) => number);
  expect(Number(sums.rows[0]?.numbers)).toBe(numbers.reduce((sum, number) => sum + number, 0));
  return new Set(numbers);
}

test("kill -9 loses nothing that was acknowledged", async () => {
  const dataDir = await createDataFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const acknowledged: number[] = [];
  for (const count of [3, 75]) {
    acknowledged.push(...(await killWriter({ program: "writer", dataDir, acknowledged: count })));
  }
  const numbers = await readNumbers(dataDir);
  expect(acknowledged.filter((number) => !numbers.has(number))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(78);
});

test("kill -9 during the very first start leaves no half-created database", async () => {
  const db = join(folder, "db");
  mkdirSync(db);
  const drafted = new Promise<void>((resolve) => {
    const watcher = watch(db, (_, name) => {
      if (!name?.endsWith(".draft")) return;
      watcher.close();
      resolve();
    });
  });
  const program = fileURLToPath(new URL("writer.fixture.ts", import.meta.url));
  const writer = spawn(process.execPath, [...QUICK_ENGINE, program, folder], { stdio: "ignore" });
  await drafted;
  writer.kill("SIGKILL");
  await once(writer, "exit");
  expect(existsSync(join(db, "postgres"))).toBe(false);

  const acknowledged = await killWriter({ program: "writer", dataDir: folder, acknowledged: 1 });
  const numbers = await readNumbers(folder);
  expect(acknowledged.filter((number) => !numbers.has(number))).toEqual([]);
});

test("a power cut loses nothing that was acknowledged", async () => {
  const acknowledged: number[] = [];
  let dataDir = join(folder, "0");
  mkdirSync(dataDir);
  for (const [round, count] of [1, 60].entries()) {
    const record = join(folder, `record-${round}`);
    mkdirSync(record);
    acknowledged.push(...(await killWriter({ program: "writer", dataDir, acknowledged: count, record })));
    dataDir = join(folder, String(round + 1));
    restoreAfterPowerCut(record, dataDir);
    rmSync(record, { recursive: true });
  }
  const numbers = await readNumbers(dataDir);
  expect(acknowledged.filter((number) => !numbers.has(number))).toEqual([]);
});

test("unmodified PGlite loses acknowledged writes in the same power cut", async () => {
  const dataDir = join(folder, "0");
  mkdirSync(join(dataDir, "db"), { recursive: true });
  const record = join(folder, "record");
  mkdirSync(record);
  const acknowledged = await killWriter({ program: "stock-writer", dataDir, acknowledged: 50, record });
  const restored = join(folder, "1");
  restoreAfterPowerCut(record, restored);

  database = await openDatabase({ dataDir: restored, log: pino({ level: "silent" }) });
  const { rows } = await database.pool.query("select to_regclass('written') as written");
  expect(acknowledged.length).toBeGreaterThanOrEqual(50);
  expect(rows).toEqual([{ written: null }]);
});
