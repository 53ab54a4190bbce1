import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds that a connection gets, once draining, to deliver a request that was on its way. */
const GRACE = 500;

/** Requests that a connection may send ahead while one is answered. Browsers and proxies send none. */
const MAX_AHEAD = 16;

type Exchange = [request: IncomingMessage, response: ServerResponse];

/**
 * Follows a server's connections from the start, so that it can be drained. Each has one request under way: the next
 * begins when the answer before it is on its way, so that who reads nothing makes no work. Answers must come in the
 * order of their requests anyway.
 */
export function followConnections(server: Server, handle: RequestListener) {
  const running = new Map<Duplex, { response: ServerResponse; ahead: Exchange[] }>();
  // Connections without a request so far: Node counts them as neither idle nor busy.
  const silent = new Set<Socket>();
  let draining = false;

  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => {
      silent.delete(socket);
      running.delete(socket);
    });
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    silent.delete(socket);
    const current = running.get(socket);
    if (!current) begin([request, response], []);
    else if (current.ahead.length < MAX_AHEAD) current.ahead.push([request, response]);
    else socket.destroy();
  });

  function begin([request, response]: Exchange, ahead: Exchange[]) {
    const { socket } = request;
    running.set(socket, { response, ahead });
    response.once("close", () => {
      running.delete(socket);
      const next = ahead.shift();
      if (next && !socket.destroyed) begin(next, ahead);
    });
    if (draining) response.shouldKeepAlive = false;
    handle(request, response);
  }

  return {
    /** Whether a response has begun on this socket. */
    hasBegun: (socket: Duplex) => running.get(socket)?.response.headersSent ?? false,

    /** Stops accepting and lets running requests finish. Resolves to whether all did within `deadline` ms. */
    drain: (deadline: number): Promise<boolean> => {
      draining = true;
      // Node then sends `Connection: close`, so that clients take their next request elsewhere.
      for (const { response } of running.values()) response.shouldKeepAlive = false;
      setTimeout(() => silent.forEach((socket) => socket.destroy()), Math.min(GRACE, deadline)).unref();
      return closeWithin(server, deadline);
    },
  };
}

async function closeWithin(server: Server, deadline: number) {
  const closed = Promise.withResolvers<true>();
  server.close(() => closed.resolve(true));
  // A response that had begun before was promised a connection that stays open: close it once it is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const timer = new AbortController();
  const inTime = await Promise.race([closed.promise, delay(deadline, false, { signal: timer.signal })]);
  clearInterval(sweep);
  timer.abort();
  if (!inTime) server.closeAllConnections();
  return inTime;
}
