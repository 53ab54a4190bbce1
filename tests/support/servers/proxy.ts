import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveLocally } from "./serve-locally.ts";

export type Answer = { asked: IncomingMessage; response: IncomingMessage; body: Buffer; reply: ServerResponse };

/** Starts a proxy between a browser and a server, without compression. `deliver` passes on each response. */
export async function startProxy(origin: string, deliver: (answer: Answer) => unknown) {
  const server = createServer((asked, reply) => {
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const passed = request(new URL(asked.url ?? "/", origin), { method: asked.method, headers, setHost: false });
    passed.on("response", (response) => {
      void buffer(response).then((body) => deliver({ asked, response, body, reply }));
    });
    passed.on("error", () => reply.destroy());
    asked.pipe(passed);
  });
  return serveLocally(server);
}

/** Passes a response on unchanged. */
export const passOn = ({ response, body, reply }: Answer) =>
  reply.writeHead(response.statusCode ?? 500, response.rawHeaders).end(body);
