import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds that a connection gets, once draining, to deliver a request that was on its way. */
const GRACE = 500;

/** Follows a server's connections from the start, so that it can be drained. */
export function followConnections(server: Server) {
  const running = new Set<ServerResponse>();
  // Connections without a request so far: Node counts them as neither idle nor busy.
  const silent = new Set<Socket>();
  let draining = false;

  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    silent.delete(socket);
    running.add(response);
    response.once("close", () => running.delete(response));
    if (draining) response.shouldKeepAlive = false;
  });

  return {
    /** Whether a response has begun on this socket. */
    hasBegun: (socket: Duplex) => [...running].some((response) => response.socket === socket && response.headersSent),

    /** Stops accepting and lets running requests finish. Resolves to whether all did within `deadline` ms. */
    drain: (deadline: number): Promise<boolean> => {
      draining = true;
      // Node then sends `Connection: close`, so that clients take their next request elsewhere.
      for (const response of running) response.shouldKeepAlive = false;
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
