import { createServer, type Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { RequestReader, type ClientRequest } from "./request-reader.ts";

const SYNC = encodeMessage("S", "");
const ROLLBACK = encodeMessage("Q", "rollback\0");

/**
 * Serves the engine on a Unix socket, to one client at a time: the engine is a single session, so the next client waits
 * until the previous one has left. Everything that a client sends before it waits for an answer goes to the engine in
 * one piece, and so does the answer. That costs a third of what forwarding each message separately does. Returns a
 * function that disconnects all clients. Errors that the engine throws go to `fail`. A bad query is not one of them.
 */
export async function serveEngine(engine: PGlite, path: string, fail: (error: unknown) => void) {
  const clients = new Set<Socket>();
  let last = Promise.resolve();
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // It does not matter how a client leaves.
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
      for (const request of requests.read(chunk)) respond(engine, socket, request).catch(reject);
    });
  });
  socket.resume();
  await Promise.race([gone, failed]);
  await leaveSession(engine);
}

async function respond(engine: PGlite, socket: Socket, request: ClientRequest) {
  if (request === "refuse encryption") socket.write("N");
  else if (request === "end") socket.end();
  else socket.write(await run(engine, request));
}

/** Runs a request. The engine does all its work synchronously, so requests are answered in the order they arrive. */
async function run(engine: PGlite, request: Uint8Array): Promise<Buffer> {
  const parts: Buffer[] = [];
  // The engine passes a view of its own memory, which the next part overwrites.
  await engine.execProtocolRawStream(request, { syncToFs: false, onRawData: (part) => parts.push(Buffer.from(part)) });
  return Buffer.concat(parts);
}

/** Cleans up after a client, so that the next one finds nothing half done. */
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
