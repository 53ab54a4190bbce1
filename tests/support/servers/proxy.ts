import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { answerWith, serveLocally } from "./serve-locally.ts";

export type Exchange = { incoming: IncomingMessage; response: IncomingMessage; body: Buffer; reply: ServerResponse };

/** Starts a proxy between a browser and a server, without compression. `deliver` passes on each response. */
export async function startProxy(origin: string, deliver: (answer: Exchange) => unknown) {
  const server = createServer(
    answerWith(async (incoming, reply) => {
      const headers = { ...incoming.headers, "accept-encoding": "identity" };
      const options = { method: incoming.method, headers, setHost: false };
      const passed = incoming.pipe(request(new URL(incoming.url ?? "/", origin), options));
      const [response] = (await once(passed, "response")) as [IncomingMessage];
      passed.on("error", () => reply.destroy());
      await deliver({ incoming, response, body: await buffer(response), reply });
    }),
  );
  return serveLocally(server);
}

/** Passes a response on unchanged. */
export const passOn = ({ response, body, reply }: Exchange) =>
  reply.writeHead(response.statusCode ?? 500, response.rawHeaders).end(body);
