import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { endsWithin } from "../../ends-within.ts";

/** Milliseconds that a connection gets, once nothing new is accepted, to deliver a request that was on its way. */
const ON_ITS_WAY = 500;

/** Milliseconds in which a moment is looked for to close the listener in: a busy server has few. */
const UNTIL_QUIET = 3_000;

/** Milliseconds. A turn of the event loop that took no longer did nothing, so nobody has connected since it looked. */
const QUIET_TURN = 0.3;

/** Requests that a connection may send ahead while one is answered. Browsers and proxies send none. */
const MAX_AHEAD = 16;

type Exchange = [request: IncomingMessage, response: ServerResponse];

/**
 * Follows the connections of servers from the start, so that they can be drained. Each has one request under way: the
 * next begins when the answer before it has been sent, so that a client which reads nothing makes no work. Answers must
 * come in the order of their requests anyway. A client that takes nothing of an answer for `sendLimit` ms (for twice
 * that at most) is cut off.
 */
export function followConnections(servers: Server[], handle: RequestListener, sendLimit: number) {
  const running = new Map<Duplex, { response: ServerResponse; ahead: Exchange[] }>();
  // Connections without a request so far: Node counts them as neither idle nor busy.
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

  /** Nothing has come or gone for as long as may be. Whose answer is still being made waits: with good reason. */
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
     * From now on each answer says `Connection: close`, so that clients take their next request elsewhere. A connection
     * without a request stays open: what is on its way to it is answered.
     */
    leave,

    /**
     * Stops accepting and lets running requests finish. Resolves to whether all did within `deadline` ms. Connections
     * without a request are closed: at once, or after a moment where they were given time by `leave`.
     */
    drain: async (deadline: number): Promise<boolean> => {
      const patience = Math.min(ON_ITS_WAY, deadline);
      const idleFor = leaving ? patience : 0;
      leave();
      await acceptWaiting(servers, Math.min(UNTIL_QUIET, deadline));
      afterReading(patience, () => silent.forEach((socket) => socket.destroy()));
      return closeWithin(servers, deadline, idleFor);
    },
  };
}

/**
 * Accepts, for `patience` ms at most, whoever has connected by now: closing the listener would reset them. It ends
 * after a turn of the event loop that found nobody and was over at once: whoever comes during a long one would be
 * reset, too.
 */
async function acceptWaiting(servers: Server[], patience: number): Promise<void> {
  const end = performance.now() + patience;
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
 * After so many ms, and after what had arrived by then was read: where a server is busy, requests wait in their
 * sockets.
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
  // A response that had begun before was promised a connection that stays open: it is closed once it is idle.
  const sweep = setInterval(() => {
    // After this turn's reading: a connection that a request waits in is idle until then.
    if (performance.now() >= sweepFrom) setImmediate(() => server.closeIdleConnections());
  }, 50);
  // That of node:http would cut off whoever is idle.
  await new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  clearInterval(sweep);
}
