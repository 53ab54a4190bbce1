import { STATUS_CODES, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "../../log/log.ts";

/** How long a refused client has to read the response and hang up, in milliseconds. */
const TIMEOUT_MS = 500;

type Options = {
  log: Logger;
  headers: Record<string, string>;
  /** Whether a response has begun on this socket. A second one must not be written into it. */
  hasBegun: (socket: Duplex) => boolean;
};

/** Answers what never becomes a request for the app, with the same headers as every other response. */
export function respondBelowHono(server: Server, { log, headers, hasBegun }: Options): void {
  const refuse = (socket: Duplex, status: number) => {
    log.info({ status }, "refused before the application");
    if (!socket.writable || hasBegun(socket)) {
      socket.destroy();
      return;
    }
    socket.end(renderBare(status, headers));
    // A client that keeps its side open would keep the connection and whatever waits for the rest of a request.
    setTimeout(() => socket.destroy(), TIMEOUT_MS).unref();
  };

  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else refuse(socket, statusOf(error.code));
  });
  // This server is not a proxy. Without a listener, Node would hang up without a response. With one, Node stops
  // handling the socket, and the error of a client that disconnects would end the process.
  server.on("connect", (_, socket) => {
    socket.on("error", () => {});
    refuse(socket, 405);
  });
  server.on("checkExpectation", (_, response) => response.writeHead(417, headers).end());
}

function statusOf(code: string | undefined) {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}

function renderBare(status: number, headers: Record<string, string>) {
  const fields = Object.entries({ ...headers, "Content-Length": "0", Connection: "close" });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");
}
