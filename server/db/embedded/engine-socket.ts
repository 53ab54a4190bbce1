import { createServer, type Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { RequestReader, type ClientRequest } from "./request-reader.ts";

const SYNC = encodeMessage("S", "");
const ROLLBACK = encodeMessage("Q", "rollback\0");

/**
 * Serves the engine on a Unix socket, to one client at a time: it is one session, so the next waits until the last has
 * left. All that a client sends up to where it waits goes to the engine in one piece, and the answer back in one, which
 * costs a third of passing on every message alone. Returns the function that sends everyone away.
 * What the engine throws, which it does not for a bad query, goes to `fail`.
 */
export async function serveEngine(engine: PGlite, path: string, fail: (error: unknown) => void) {
  const clients = new Set<Socket>();
  let last = Promise.resolve();
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // How a client left does not matter.
    socket.on("error", () => {});
    clients.add(socket);
    last = last.then(() => serveClient(engine, socket, gone)).then(() => void clients.delete(socket), fail);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));

  return async function stop() {
    server.close();
    for (const socket of clients) socket.destroy();
    await last;
  };
}

async function serveClient(engine: PGlite, socket: Socket, gone: Promise<void>) {
  const requests = new RequestReader();
  const failed = new Promise<never>((_, reject) => {
    socket.on("data", (chunk: Buffer) => {
      for (const request of requests.read(chunk)) answer(engine, socket, request).catch(reject);
    });
  });
  socket.resume();
  await Promise.race([gone, failed]);
  await leaveSession(engine);
}

async function answer(engine: PGlite, socket: Socket, request: ClientRequest) {
  if (request === "refuse encryption") socket.write("N");
  else if (request === "end") socket.end();
  else socket.write(await run(engine, request));
}

/** The engine does all its work before this returns: requests are answered in the order they come. */
async function run(engine: PGlite, request: Uint8Array): Promise<Buffer> {
  const parts: Buffer[] = [];
  // What it hands out is its own memory, which the next part overwrites.
  await engine.execProtocolRawStream(request, { syncToFs: false, onRawData: (part) => parts.push(Buffer.from(part)) });
  return Buffer.concat(parts);
}

/** Leaves nothing half done behind for the next client. */
async function leaveSession(engine: PGlite) {
  await run(engine, SYNC);
  if (engine.isInTransaction()) await run(engine, ROLLBACK);
}

function encodeMessage(type: string, body: string): Uint8Array {
  const message = Buffer.alloc(5 + body.length);
  message.write(type);
  message.writeInt32BE(4 + body.length, 1);
  message.write(body, 5);
  return message;
}
