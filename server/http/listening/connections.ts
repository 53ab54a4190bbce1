import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { endsWithin } from "../../ends-within.ts";

/**
 * How long a connection has, after the server stops accepting, to deliver a request that was in transit (milliseconds).
 */
const ON_ITS_WAY = 500;

/** How long to look for a quiet moment in which to close the listener, in milliseconds. A busy server has few. */
const UNTIL_QUIET = 3_000;

/**
 * In milliseconds. A turn of the event loop that took no longer did nothing, so nobody has connected since it checked.
 */
const QUIET_TURN = 0.3;

/** How many requests a connection may pipeline behind the current one. Browsers and proxies pipeline none. */
const MAX_AHEAD = 16;

type Exchange = [request: IncomingMessage, response: ServerResponse];

/**
 * Tracks the connections of servers from the start, so that they can be drained. Each connection runs one request. The
 * next begins once the previous response has been sent, so that a client that reads nothing causes no work. (Responses
 * must be in the order of their requests anyway.) A client that takes nothing of a response for `sendLimit` ms (at most
 * twice as long) is disconnected.
 */
export function trackConnections(servers: Server[], handle: RequestListener, sendLimit: number) {
  const running = new Map<Duplex, { response: ServerResponse; ahead: Exchange[] }>();
  // Connections that have not sent a request yet. Node counts them as neither idle nor busy.
  const silent = new Set<Socket>();
  let leaving = false;

  for (const server of servers) server.on("connection", meet).on("request", receive).setTimeout(sendLimit, hangUp);

  function meet(socket: Socket) {
    silent.add(socket);
    socket.once("close", () => {
      silent.delete(socket);
      running.delete(socket);
    });
  }

  function receive(...exchange: Exchange) {
    const { socket } = exchange[0];
    silent.delete(socket);
    const current = running.get(socket);
    if (!current) begin(exchange, []);
    else if (current.ahead.length < MAX_AHEAD) current.ahead.push(exchange);
    else socket.destroy();
  }

  function begin([request, response]: Exchange, ahead: Exchange[]) {
    const { socket } = request;
    running.set(socket, { response, ahead });
    response.once("close", () => {
      running.delete(socket);
      const next = ahead.shift();
      if (next && !socket.destroyed) begin(next, ahead);
    });
    if (leaving) response.shouldKeepAlive = false;
    handle(request, response);
  }

  /** Closes a socket on which nothing moved for `sendLimit`, unless its response is still being produced. */
  function hangUp(socket: Socket) {
    if (!running.has(socket) || socket.writableLength > 0) socket.destroy();
  }

  function leave() {
    leaving = true;
    for (const { response } of running.values()) response.shouldKeepAlive = false;
  }

  return {
    /** Whether a response has begun on this socket. */
    hasBegun: (socket: Duplex) => running.get(socket)?.response.headersSent ?? false,

    /**
     * Adds `Connection: close` to every response from now on, so that clients send their next request elsewhere.
     * Connections without a request stay open, and requests in transit to them are answered.
     */
    leave,

    /**
     * Stops accepting connections and lets running requests finish. Resolves to whether all finished within `deadline`
     * ms. Connections without a request are closed: at once, or after a moment if `leave` was called before.
     */
    drain: async (deadline: number): Promise<boolean> => {
      const timeout = Math.min(ON_ITS_WAY, deadline);
      const idleFor = leaving ? timeout : 0;
      leave();
      await acceptWaiting(servers, Math.min(UNTIL_QUIET, deadline));
      afterReading(timeout, () => silent.forEach((socket) => socket.destroy()));
      return closeWithin(servers, deadline, idleFor);
    },
  };
}

/**
 * Accepts clients that have already connected, for at most `timeout` ms, because closing the listener would reset
 * them. Stops after a turn of the event loop that found nobody and was short. After a long turn, clients that connected
 * during it would be reset.
 */
async function acceptWaiting(servers: Server[], timeout: number): Promise<void> {
  const end = performance.now() + timeout;
  let hasAccepted: boolean;
  let begun: number;
  const note = () => void (hasAccepted = true);
  for (const server of servers) server.on("connection", note);
  do {
    hasAccepted = false;
    begun = performance.now();
    await nextTurn();
  } while ((hasAccepted || performance.now() - begun > QUIET_TURN) && performance.now() < end);
  for (const server of servers) server.off("connection", note);
}

/**
 * Calls `act` after so many milliseconds, and after everything that had arrived by then was read. On a busy server,
 * requests wait in their sockets.
 */
function afterReading(milliseconds: number, act: () => void): void {
  setTimeout(
    () =>
      void nextTurn()
        .then(() => nextTurn())
        .then(act),
    milliseconds,
  ).unref();
}

async function closeWithin(servers: Server[], deadline: number, idleFor: number): Promise<boolean> {
  const inTime = await endsWithin(deadline, Promise.all(servers.map((server) => close(server, idleFor))));
  if (!inTime) for (const server of servers) server.closeAllConnections();
  return inTime;
}

async function close(server: Server, idleFor: number): Promise<void> {
  const sweepFrom = performance.now() + idleFor;
  // Responses that began before the drain promised to keep their connection open. It is closed once it is idle.
  const sweep = setInterval(() => {
    // Waits until this turn has read its sockets: a connection with an unread request still counts as idle.
    if (performance.now() >= sweepFrom) setImmediate(() => server.closeIdleConnections());
  }, 50);
  // The `close` of node:http would also disconnect idle clients.
  await new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  clearInterval(sweep);
}
