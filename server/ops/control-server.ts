import { chmod, rm, symlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { join, resolve } from "node:path";
import { createSocketFolder } from "../db/embedded/socket-folder.ts";
import { AppError } from "../errors.ts";
import { explainError } from "../http/explain-error.ts";
import type { Logger } from "../log/log.ts";
import { throttle } from "../throttle.ts";
import type { Database } from "../db/client.ts";
import { packFiles } from "./backup/pack.ts";
import { BACKUP, CONTROL_FOLDER, CONTROL_SOCKET } from "./call-server.ts";
import type { OpsDeps } from "./operation.ts";
import { OpsRequest, type OpsResponse, type OpsOutcome } from "./messages.ts";
import { runRequest } from "./run-request.ts";

/** The largest request, in bytes: a file of a hundred thousand lines. */
const MAX_BYTES = 16 * 1024 * 1024;

/** How long a client may read nothing of its backup, in milliseconds. Meanwhile the upkeep of the database waits. */
const PATIENCE_MS = 60_000;

const UNEXPECTED =
  "Something went wrong: the server's log says what. See what was done before you give the command again.";

type ControlDeps = OpsDeps & Pick<Database, "readBackup"> & { log: Logger; patience?: number };

/**
 * Listens for operations in a process that has the database to itself, on a Unix socket. Only the user of this process
 * can reach it, and no other proof is required. Returns a function that stops it.
 */
export async function listenForOperations(deps: ControlDeps, dataDir: string): Promise<() => Promise<void>> {
  const place = resolve(dataDir, CONTROL_FOLDER);
  const sockets = await createSocketFolder(place, CONTROL_SOCKET);
  // If the path is too long for a socket, it links to the folder that has the socket.
  if (sockets.folder !== place) await replaceByLink(sockets.folder, place);
  const server = createServer((request, response) => void respond(deps, request, response));
  server.listen(join(sockets.folder, CONTROL_SOCKET));
  await once(server, "listening");
  await chmod(sockets.socket, 0o600);
  return async () => {
    server.close();
    server.closeAllConnections();
    await sockets.remove();
    await rm(place, { recursive: true, force: true });
  };
}

async function replaceByLink(target: string, place: string) {
  await rm(place, { recursive: true, force: true });
  await symlink(target, place);
}

async function respond(deps: ControlDeps, request: IncomingMessage, response: ServerResponse) {
  const isBackup = request.url === BACKUP;
  try {
    if (isBackup) return await sendBackup(deps, response);
    const asked = OpsRequest.parse(JSON.parse(await readText(request)));
    deps.log.info({ operation: `${asked.noun} ${asked.verb}` }, "an operator asks");
    const report = throttle((progress: string) =>
      response.write(`${JSON.stringify({ progress } satisfies OpsResponse)}\n`),
    );
    send(response, 200, { result: await runRequest({ ...deps, report }, asked) });
  } catch (error) {
    if (isBackup && hasLeft(error)) return deps.log.info("the reader of a backup is gone");
    const failure = explainError(error instanceof Error ? error : new Error(String(error)), deps.log);
    // Cut off an incomplete backup, so that nobody takes it for a complete one.
    if (isBackup && response.headersSent) return void response.destroy();
    // Members are told to try again. An operator can look into the log.
    const message = failure.code === "INTERNAL_ERROR" ? UNEXPECTED : failure.message;
    send(response, failure.status, { error: failure.code, message });
  }
}

async function sendBackup({ log, readBackup, patience = PATIENCE_MS }: ControlDeps, response: ServerResponse) {
  if (!readBackup) throw new AppError("UNAVAILABLE", "This server has no database of its own.");
  log.info({ operation: "database backup" }, "an operator asks");
  response.setTimeout(patience, () => {
    // If nothing waits to be read, the backup itself waits, such as for a vacuum.
    if (response.writableLength === 0) return;
    log.warn("a backup was cut off, because its reader had stopped reading");
    response.destroy();
  });
  response.setHeader("Content-Type", "application/x-tar");
  // From here on the backup is either complete or cut off.
  response.flushHeaders();
  await pipeline(packFiles(readBackup()), response);
}

const hasLeft = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > MAX_BYTES) throw new AppError("PAYLOAD_TOO_LARGE", `Send at most ${MAX_BYTES / 1024 ** 2} MB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Sends the outcome as the last line, or as the only one. */
function send(response: ServerResponse, status: number, body: OpsOutcome) {
  if (!response.headersSent) response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
