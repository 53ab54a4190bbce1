import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSampleAnswers } from "./sample-answers.ts";

/** A remote backend that answers with samples, or with what it is given in their place. */
export async function startSampleBackend() {
  const { respond, ...answers } = createSampleAnswers();
  const server = createServer(({ method = "", url = "/" }, reply) => {
    const { status, body } = respond({ method, path: new URL(url, "http://backend.test").pathname });
    reply.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    ...answers,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
