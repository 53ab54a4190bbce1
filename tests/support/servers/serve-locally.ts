import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Starts a server on a free port of this machine. `close` stops it, with its open HTTP connections. */
export async function serveLocally(server: Server & { closeAllConnections?: () => void }, host = "127.0.0.1") {
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    close: async () => {
      server.closeAllConnections?.();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers each request. A client that breaks off, as when its process is killed, gets no response. */
export const answerWith =
  (answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>): RequestListener =>
  (request, response) =>
    void answer(request, response).catch(() => response.destroy());
