import { http } from "msw/http";
import { setupServer } from "msw/node";
import type { Endpoint } from "../../../server/http/contract.ts";
import { SAMPLES } from "./samples.ts";

export const MAIN_URL = "http://api.test";
export const AUTH_URL = "http://auth.test";

/** Where a call's request goes, as MSW matches it: parameters with a colon. */
function urlOf({ path, service }: Endpoint): string {
  return `${service === "auth" ? AUTH_URL : MAIN_URL}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

/** The request handler that answers one call. */
export function answer({ method, ...endpoint }: Endpoint, respond: (request: Request) => Response | Promise<Response>) {
  const on = { GET: http.get, POST: http.post, DELETE: http.delete }[method];
  return on(urlOf({ method, ...endpoint }), ({ request }) => respond(request));
}

/**
 * A remote backend: two hosts, as API_URL and AUTH_API_URL name them, answering with contract-shaped samples, or by
 * `forward`. It keeps the requests it got. A request to anywhere else fails.
 */
export function createMswBackend(forward?: (request: Request) => Promise<Response> | Response) {
  const requests: Request[] = [];
  const handlers = forward
    ? [
        http.all(`${MAIN_URL}/*`, ({ request }) => forward(request)),
        http.all(`${AUTH_URL}/*`, ({ request }) => forward(request)),
      ]
    : SAMPLES.map(({ endpoint, response }) => answer(endpoint, () => Response.json(response)));
  const server = setupServer(...handlers);
  server.events.on("request:start", ({ request }) => void requests.push(request.clone()));
  return {
    server,
    requests,
    listen: () => server.listen({ onUnhandledFrame: "error" }),
    /** Forgets what a test changed and what it asked. */
    reset() {
      server.resetHandlers();
      requests.length = 0;
    },
    close: () => server.close(),
  };
}
