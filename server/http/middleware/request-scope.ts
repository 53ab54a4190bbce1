import { randomUUID } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { withTimeLimit } from "../../db/time-budget.ts";
import { runForRequest } from "../../log/current-request.ts";
import type { Logger } from "../../log/log.ts";
import { createProxyTrust, withoutMapping } from "../listening/client-address.ts";
import type { HttpEnv } from "../http-env.ts";

type RequestScopeOptions = { log: Logger; trustedProxies: readonly string[]; databaseTimeLimit?: number };

/**
 * Gives each request its id, client address and log, and limits how long it waits for the database in total to
 * `databaseTimeLimit` milliseconds. Sends the id back as X-Request-Id.
 */
export function requestScope({ log, trustedProxies, databaseTimeLimit = Infinity }: RequestScopeOptions) {
  const trust = createProxyTrust(trustedProxies);

  return createMiddleware<HttpEnv>(async (c, next) => {
    const peer = withoutMapping(c.env?.incoming?.socket.remoteAddress ?? "");
    const viaProxy = trust.isTrusted(peer);
    const requestId = (viaProxy && findSaneId(c.req.header("x-request-id"))) || randomUUID();
    c.set("requestId", requestId);
    c.set("clientAddress", viaProxy ? trust.findClient(peer, c.req.header("x-forwarded-for")) : peer);
    c.set("traceparent", viaProxy ? c.req.header("traceparent") : undefined);
    const requestLog = log.child({ requestId });
    c.set("log", requestLog);
    await withTimeLimit(databaseTimeLimit, () => runForRequest({ requestId, log: requestLog }, next));
    c.res.headers.set("X-Request-Id", requestId);
  });
}

/** An id ends up in logs and error pages, so it must not contain markup or line breaks. */
const findSaneId = (id: string | undefined) => (id && /^[\w.-]{8,64}$/.test(id) ? id : undefined);
