import { createServer, type Server } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import type { Logger } from "../../log/log.ts";
import { StartError } from "../../start-error.ts";
import { answerBelowHono } from "./below-hono.ts";
import { followConnections } from "./connections.ts";
import type { HttpEnv } from "../http-env.ts";

/** Milliseconds. Short enough that clients which send a byte now and then cannot hold the server's sockets. */
const TIMEOUTS = {
  headers: 10_000,
  /** For the whole request, body included. */
  request: 30_000,
  /** Between two requests. Longer than the 60 s of common proxies: they must be the ones to hang up. */
  keepAlive: 65_000,
  /** How often the first two are looked at. */
  check: 2_000,
};

type Fetch = Hono<HttpEnv>["fetch"];
type ListenOptions = {
  port: number;
  host: string;
  log: Logger;
  /** What every response carries, also those made before the app sees a request. */
  headers: Record<string, string>;
  timeouts?: Partial<typeof TIMEOUTS>;
};

export type Listening = { url: string } & Pick<ReturnType<typeof followConnections>, "leave" | "drain">;

/** Serves the app on a port; 0 picks a free one. Throws a StartError when the port cannot be had. */
export async function listen(app: { fetch: Fetch }, options: ListenOptions): Promise<Listening> {
  const { request, headers, keepAlive, check } = { ...TIMEOUTS, ...options.timeouts };
  const server = createServer({
    requestTimeout: request,
    headersTimeout: headers,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: check,
    // The app refuses a missing host itself, with the headers of everything else.
    requireHostHeader: false,
  });
  const listener = createListener(app.fetch, options);
  // It answers its own failures and never rejects.
  const { hasBegun, leave, drain } = followConnections(
    server,
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  answerBelowHono(server, { ...options, hasBegun });
  await startListening(server, options);
  return { url: describeAddress(server, options.host), leave, drain };
}

function createListener(fetch: Fetch, { headers, log }: ListenOptions) {
  return getRequestListener(fetch, {
    // For HTTP/1.0, which needs no Host.
    hostname: "localhost",
    errorHandler(error) {
      const isBadRequest = error instanceof RequestError;
      if (!isBadRequest) log.error({ err: error }, "unexpected error");
      return new Response(null, { status: isBadRequest ? 400 : 500, headers });
    },
  });
}

function startListening(server: Server, { port, host }: ListenOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => reject(explainListenError(error, port, host)));
  server.listen(port, host, resolve);
  return promise;
}

function explainListenError(error: NodeJS.ErrnoException, port: number, host: string) {
  if (error.code === "EADDRINUSE") return new StartError(`Port ${port} is in use already: set PORT to another one.`);
  if (error.code === "EACCES") return new StartError(`Port ${port} needs more rights: set PORT to 1024 or higher.`);
  return new StartError(`Cannot listen on ${host}, port ${port}: ${error.message}. Check HOST and PORT.`, {
    cause: error,
  });
}

function describeAddress(server: Server, host: string) {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
