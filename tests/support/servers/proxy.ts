import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveLocally } from "./serve-locally.ts";

export type Exchange = { incoming: IncomingMessage; response: IncomingMessage; body: Buffer; reply: ServerResponse };

/** Starts a proxy between a browser and a server, without compression. `deliver` passes on each response. */
export async function startProxy(origin: string, deliver: (answer: Exchange) => unknown) {
  const server = createServer((incoming, reply) => {
    const headers = { ...incoming.headers, "accept-encoding": "identity" };
    const passed = request(new URL(incoming.url ?? "/", origin), { method: incoming.method, headers, setHost: false });
    passed.on("response", (response) => {
      void buffer(response).then((body) => deliver({ incoming, response, body, reply }));
    });
    passed.on("error", () => reply.destroy());
    incoming.pipe(passed);
  });
  return serveLocally(server);
}

/** Passes a response on unchanged. */
export const passOn = ({ response, body, reply }: Exchange) =>
  reply.writeHead(response.statusCode ?? 500, response.rawHeaders).end(body);
