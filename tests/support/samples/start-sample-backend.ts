import { createServer } from "node:http";
import { serveLocally } from "../servers/serve-locally.ts";
import { createSampleResponses } from "./sample-responses.ts";

/** Starts a remote backend that answers with samples, or with the answers it is given instead. */
export async function startSampleBackend() {
  const { respond, ...answers } = createSampleResponses();
  const server = createServer(({ method = "", url = "/" }, reply) => {
    const { status, body } = respond({ method, path: new URL(url, "http://backend.test").pathname });
    reply.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  return { ...answers, ...(await serveLocally(server)) };
}
