import { http } from "msw/http";
import { setupServer } from "msw/node";
import type { Endpoint } from "../../../server/http/contract.ts";
import { SAMPLES } from "./samples.ts";

export const MAIN_URL = "http://api.test";
export const AUTH_URL = "http://auth.test";

/** Returns a call's address in the syntax of MSW: parameters begin with a colon. */
function urlOf({ path, service }: Endpoint): string {
  return `${service === "auth" ? AUTH_URL : MAIN_URL}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

/** Creates the request handler for one call. */
export function handle({ method, ...endpoint }: Endpoint, respond: (request: Request) => Response | Promise<Response>) {
  const on = { GET: http.get, POST: http.post, DELETE: http.delete }[method];
  return on(urlOf({ method, ...endpoint }), ({ request }) => respond(request));
}

/**
 * Creates a remote backend: two hosts, as in API_URL and AUTH_API_URL, which answer with samples that match the
 * contracts, or through `forward`. Records the requests. A request to any other host fails.
 */
export function createMswBackend(forward?: (request: Request) => Promise<Response> | Response) {
  const requests: Request[] = [];
  const handlers = forward
    ? [
        http.all(`${MAIN_URL}/*`, ({ request }) => forward(request)),
        http.all(`${AUTH_URL}/*`, ({ request }) => forward(request)),
      ]
    : SAMPLES.map(({ endpoint, response }) => handle(endpoint, () => Response.json(response)));
  const server = setupServer(...handlers);
  server.events.on("request:start", ({ request }) => void requests.push(request.clone()));
  return {
    server,
    requests,
    listen: () => server.listen({ onUnhandledFrame: "error" }),
    /** Restores the handlers, and forgets the requests. */
    reset() {
      server.resetHandlers();
      requests.length = 0;
    },
    close: () => server.close(),
  };
}
