import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { pino } from "pino";
import { openDatabase } from "../../../server/db/client.ts";
import { MIGRATIONS_FOLDER } from "../../../server/db/migrate.ts";

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/nodebeat/", import.meta.url));
const INSTALLED = fileURLToPath(new URL("../../../node_modules/.package-lock.json", import.meta.url));
const DATABASE = fileURLToPath(new URL("../../../server/db/", import.meta.url));
const ENGINE = join(dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")), "pglite.wasm");

/**
 * Returns the tar file of an empty database with the current schema. Starting from it takes a fifth of the time of a
 * new database.
 */
export function findMemorySnapshot(): Promise<string> {
  return findOrMake("memory", async (draft) => {
    const engine = await PGlite.create("memory://", { initDbStartParams: ["--wal-segsize=1"] });
    await migrate(drizzle(engine), { migrationsFolder: MIGRATIONS_FOLDER });
    await engine.exec("checkpoint");
    const dump = await engine.dumpDataDir("none");
    await writeFile(draft, await dump.bytes());
    await engine.close();
  });
}

/**
 * Creates a data folder with an empty database, as after a first start, for tests that are not about one: a copy takes
 * a tenth of the time. The caller deletes it.
 */
export async function createDataFolder(): Promise<string> {
  await compileEngineOnce();
  const made = await findOrMake("folder", async (draft) => {
    const database = await openDatabase({ dataDir: draft, log: pino({ level: "silent" }) });
    await database.close();
  });
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-data-"));
  await cp(made, folder, { recursive: true });
  return folder;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * Keeps V8's compiled code of the engine, which all engines of a process share, alive after the last one has closed.
 * Otherwise a test that opens one after the other would compile it again each time: 600 MB and seconds for its parser
 * alone.
 */
export const compileEngineOnce = () => (compiled ??= readFile(ENGINE).then((code) => WebAssembly.compile(code)));

/** Makes something once, and caches it for these migrations, this engine and these packages. */
async function findOrMake(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const current = `${name}-${await hashSources()}`;
  const path = join(CACHE, current);
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  // Several test files may make it at once. Each moves a complete one into place, and the first one stays.
  const draft = join(CACHE, `${randomUUID()}.draft`);
  await make(draft);
  await rename(draft, path).catch(() => rm(draft, { recursive: true }));
  const old = globSync(`${name}-*`, { cwd: CACHE }).filter((other) => other !== current);
  await Promise.all(old.map((other) => rm(join(CACHE, other), { recursive: true, force: true })));
  return path;
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const sources = globSync(["migrations/**/*.{sql,json}", "embedded/*.ts"], { cwd: DATABASE });
  for (const file of [INSTALLED, ...sources.sort().map((name) => join(DATABASE, name))])
    hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
