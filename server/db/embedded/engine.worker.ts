import { readFile, realpath, rm } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { createClusterFolder } from "./cluster-folder.ts";
import { DurableNodeFs } from "./durable-fs.ts";
import type { EngineOptions, EngineReport, EngineRequest } from "./engine-messages.ts";
import { serveEngine } from "./engine-socket.ts";

/*
 * The thread that PostgreSQL runs in. A statement blocks its thread until it is done, so it cannot be the main thread.
 * A statement that failed can leave the thread in an endless loop, so it has to be killed from outside.
 */

/** PGlite's own parameters except `-F`, which turns fsync off, and what a server without background processes needs. */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== "-F"),
  // The engine's fdatasync is an empty function, whatever the file system does.
  "--wal_sync_method=fsync",
  // As much as fits into the engine's initial memory.
  "--shared_buffers=64MB",
  "--min_wal_size=32MB",
  "--max_wal_size=128MB",
  // The client gets the error of a failed statement. The statement may contain personal data, so it stays out of the
  // log.
  "--log_min_messages=log",
  "--log_min_error_statement=panic",
];

/** Matches a fatal line of the engine's log, after the date, time, zone and process. */
const LAST_WORDS = /^\S+ \S+ \S+ \[\d+\] (PANIC|FATAL): /;

if (!parentPort) throw new Error("The engine runs in a worker thread");
const port = parentPort;
const report = (message: EngineReport) => port.postMessage(message);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- engine-thread.ts passes nothing else
const options = workerData as EngineOptions;
const engine = options.folder ? await openFolder(options.folder) : await openMemory(options.snapshot);
await rm(options.socket, { force: true });
const stopServing = await serveEngine(engine, options.socket, (error) => die(String(error)));
port.on("message", (request: EngineRequest) => void respond(request));
report({ type: "ready" });

async function openFolder(folder: string): Promise<PGlite> {
  await createClusterFolder(folder);
  // The engine would take a symbolic link for a file.
  const files = new DurableNodeFs(await realpath(folder));
  const engine = await PGlite.create({ fs: files, startParams: START_PARAMS, onStderr: readEngineLog });
  const syncsBefore = files.syncs;
  // The smallest write that must be durable. If this one is not, none is.
  await engine.query("select pg_logical_emit_message(true, 'start', '')");
  if (files.syncs > syncsBefore) return engine;
  throw new Error("PGlite acknowledged a write without forcing it to disk");
}

async function openMemory(snapshot: string | undefined): Promise<PGlite> {
  const loadDataDir = snapshot ? new Blob([await readFile(snapshot)]) : undefined;
  return PGlite.create("memory://", {
    ...(loadDataDir && { loadDataDir }),
    startParams: START_PARAMS,
    onStderr: readEngineLog,
  });
}

function readEngineLog(line: string): boolean {
  // PostgreSQL aborts here, but an abort does not end a WebAssembly program. It would loop forever, and might even
  // acknowledge writes that failed.
  if (LAST_WORDS.test(line)) die(line);
  report({ type: "log", line });
  return false;
}

/** Ends the thread at once, even from within the engine's code. */
function die(reason: string): never {
  report({ type: "fault", reason });
  return process.exit(1);
}

async function respond(request: EngineRequest) {
  if (request === "ping") return report({ type: "pong" });
  await stopServing();
  await engine.close();
  return process.exit(0);
}
