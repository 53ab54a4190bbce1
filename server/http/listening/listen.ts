import { createServer, type Server } from "node:http";
import { createServer as createNetServer, type Server as NetServer } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { StartError } from "../../start-error.ts";
import { respondBelowHono } from "./below-hono.ts";
import { trackConnections } from "./connections.ts";
import type { HttpEnv } from "../http-env.ts";
import { shedLoad, type SheddingOptions } from "./shedding.ts";

/** In milliseconds. Short enough that clients that only send a byte now and then cannot hold the server's sockets. */
const TIMEOUTS = {
  headers: 10_000,
  /** For the whole request, including the body. */
  request: 30_000,
  /** Between two requests. Longer than the 60 s of common proxies, so that the proxy is the one that hangs up. */
  keepAlive: 65_000,
  /** Without progress while part of a response waits to be sent. The same as nginx. */
  send: 60_000,
  /** How often `headers` and `request` are checked. */
  check: 2_000,
};

/**
 * How many servers listen on the port. Each accepts one connection per turn of the event loop, and turns are long under
 * load, so that connections would wait for each other and finally time out. Only Linux lets several servers share a
 * port.
 */
const LISTENERS = process.platform === "linux" ? 16 : 1;

type Fetch = Hono<HttpEnv>["fetch"];
type ListenOptions = SheddingOptions & { port: number; host: string; timeouts?: Partial<typeof TIMEOUTS> };

export type Listening = { url: string } & Pick<ReturnType<typeof trackConnections>, "leave" | "drain">;

/** Serves the app on a port; 0 picks a free one. Throws a StartError if the port is not available. */
export async function listen(app: { fetch: Fetch }, options: ListenOptions): Promise<Listening> {
  const { request, headers, keepAlive, send, check } = { ...TIMEOUTS, ...options.timeouts };
  const servers = Array.from({ length: LISTENERS }, () =>
    createServer({
      requestTimeout: request,
      headersTimeout: headers,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: check,
      // The app refuses requests without a host, with the same headers as every other response.
      requireHostHeader: false,
    }),
  );
  const listener = createListener(app.fetch, options);
  const { hasBegun, leave, drain } = trackConnections(
    servers,
    // The listener responds to its own failures and never rejects.
    shedLoad((incoming, outgoing) => void listener(incoming, outgoing), options),
    send,
  );
  for (const server of servers) respondBelowHono(server, { ...options, hasBegun });
  const port = await shareAddress(servers, options);
  return { url: describeAddress(options.host, port), leave, drain };
}

function createListener(fetch: Fetch, { headers, log }: ListenOptions) {
  return getRequestListener(fetch, {
    // For HTTP/1.0, which does not require a Host header.
    hostname: "localhost",
    errorHandler(error) {
      const isBadRequest = error instanceof RequestError;
      if (!isBadRequest) log.error({ err: error }, "unexpected error");
      return new Response(null, { status: isBadRequest ? 400 : 500, headers });
    },
  });
}

/** Makes all servers listen at one address that no other process uses. Resolves to its port. */
async function shareAddress(servers: Server[], { port, host }: Address): Promise<number> {
  // With `reusePort`, the port could also be shared with another process that set it.
  if (port > 0 && servers.length > 1) await ensureFree({ port, host });
  let shared = port;
  for (const server of servers)
    shared = await startListening(server, { port: shared, host, reusePort: servers.length > 1 });
  return shared;
}

async function ensureFree(address: Address): Promise<void> {
  const server = createNetServer();
  await startListening(server, address);
  await new Promise((resolve) => server.close(resolve));
}

type Address = { port: number; host: string; reusePort?: boolean };

async function startListening(server: NetServer, address: Address): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => reject(explainListenError(error, address)));
  server.listen(address, resolve);
  await promise;
  const bound = server.address();
  return typeof bound === "object" && bound ? bound.port : address.port;
}

function explainListenError(error: NodeJS.ErrnoException, { port, host }: Address) {
  if (error.code === "EADDRINUSE") return new StartError(`Port ${port} is in use already: set PORT to another one.`);
  if (error.code === "EACCES") return new StartError(`Port ${port} needs more rights: set PORT to 1024 or higher.`);
  return new StartError(`Cannot listen on ${host}, port ${port}: ${error.message}. Check HOST and PORT.`, {
    cause: error,
  });
}

function describeAddress(host: string, port: number) {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
