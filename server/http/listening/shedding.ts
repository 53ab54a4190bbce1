import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log/log.ts";
import { limitKeyOf } from "../client.ts";
import { renderRefusal } from "../error-response.ts";
import { createProxyTrust, withoutMapping } from "./client-address.ts";
import { measureLag } from "./event-loop-lag.ts";
import { findSentPath } from "./sent-path.ts";

/** With fewer requests running, none is refused. Whatever held up the event loop is over before they are answered. */
const LOAD = 64;

/** How late the event loop may be before clients with SHARE or more running requests are refused, in milliseconds. */
const FIRST_LAG = 20;
const SHARE = 4;

/**
 * How late the event loop may be before every client is refused, in milliseconds. A response takes several turns of the
 * event loop, and must be sent within two seconds.
 */
const LAST_LAG = 40;

/**
 * How long requests may wait for the database before every client is refused, in milliseconds. Further requests would
 * wait as long, be refused in the end, and hold up the next ones.
 */
const LAST_WAIT = 400;

/**
 * Never refused: health checks and metrics, which must report the load; streams, which mostly wait; and files, because
 * a page without one of its files is broken. Matches the path as sent, in which `/assets/../` leads out of the folder.
 */
const ALWAYS = /^\/(?:healthz|readyz|metrics|live|api\/events|assets\/[\w-][^/\\]*)$/;

/** Milliseconds between two lines of the log. */
const LOG_EVERY = 1_000;

export type SheddingOptions = {
  log: Logger;
  /** The headers of every response, including those sent before the app sees a request. */
  headers: Record<string, string>;
  trustedProxies?: readonly string[];
  /** Counts a request that was refused because of overload. */
  onShed?: () => void;
  /** How many running requests wait for something other than the event loop, such as their turn to hash a password. */
  countWaiting?: () => number;
  /** How far the event loop is behind, in milliseconds. */
  lag?: () => number;
  /** How long a new request would wait for the database, in milliseconds. */
  databaseWait?: () => number;
};

/** In milliseconds. */
type Overload = { lag: number; databaseWait: number };

/**
 * Refuses requests while the processor or the database cannot keep up: 503 with Retry-After, before any work is done.
 * Otherwise all requests would begin, and each would take as long as all of them together. Clients with many running
 * requests are refused first.
 */
export function shedLoad(handle: RequestListener, options: SheddingOptions): RequestListener {
  const { log, onShed, countWaiting = () => 0, lag = measureLag(), databaseWait = () => 0 } = options;
  const trust = createProxyTrust(options.trustedProxies ?? []);
  const refuse = createRefusal(options.headers);
  const underWay = new Map<string, number>();
  let all = 0;
  let unsaid = { requests: 0, underWay: 0, lag: 0, databaseWait: 0 };

  /** Returns what is overloaded for one more request of a client, or undefined if nothing is. */
  function findOverload(client: string): Overload | undefined {
    if (all - countWaiting() < LOAD) return undefined;
    const found = { lag: lag(), databaseWait: databaseWait() };
    const isTooMuch =
      found.databaseWait > LAST_WAIT ||
      found.lag > LAST_LAG ||
      (found.lag > FIRST_LAG && (underWay.get(client) ?? 0) >= SHARE);
    return isTooMuch ? found : undefined;
  }

  function follow(client: string, response: ServerResponse) {
    all += 1;
    underWay.set(client, (underWay.get(client) ?? 0) + 1);
    response.once("close", () => {
      all -= 1;
      const left = (underWay.get(client) ?? 0) - 1;
      if (left > 0) underWay.set(client, left);
      else underWay.delete(client);
    });
  }

  /** Keeps the maximum of each value, because the overload may be over when the line is written. */
  function note(found: Overload) {
    onShed?.();
    unsaid = {
      requests: unsaid.requests + 1,
      underWay: Math.max(unsaid.underWay, all),
      lag: Math.max(unsaid.lag, Math.round(found.lag)),
      databaseWait: Math.max(unsaid.databaseWait, Math.round(found.databaseWait)),
    };
    if (unsaid.requests > 1) return;
    setTimeout(() => {
      log.warn(unsaid, "Told clients to come back: too much to do");
      unsaid = { requests: 0, underWay: 0, lag: 0, databaseWait: 0 };
    }, LOG_EVERY).unref();
  }

  return (request, response) => {
    if (ALWAYS.test(findSentPath(request.url ?? ""))) return handle(request, response);
    const peer = withoutMapping(request.socket.remoteAddress ?? "");
    const forwardedFor = request.headers["x-forwarded-for"];
    const client = limitKeyOf(trust.findClient(peer, typeof forwardedFor === "string" ? forwardedFor : undefined));
    const overload = findOverload(client);
    if (overload) {
      note(overload);
      return refuse(request, response);
    }
    follow(client, response);
    return handle(request, response);
  };
}

/** Prepares the refusal in advance: it must cost as little as possible and be sent in one piece. */
function createRefusal(fixed: Record<string, string>) {
  const error = new AppError("UNAVAILABLE", "The service is busy. Please try again in a moment.", { retryAfter: 2 });
  const headers = { ...fixed, ...error.headers, "Cache-Control": "no-store" };
  return (request: IncomingMessage, response: ServerResponse) => {
    const path = findSentPath(request.url ?? "");
    const { body, type } = renderRefusal(error, { path, accept: request.headers.accept });
    response
      .writeHead(error.status, { ...headers, "Content-Type": type, "Content-Length": Buffer.byteLength(body) })
      .end(body);
  };
}
