import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type Recorded = {
  /** Method and path, with what was asked for. */
  target: string;
  /** What a browser can show, keep or pass on of the answer: its headers, but for the cookies, and its body. */
  answer: string;
  cookies: string[];
};

/** Stands between a browser and a server, passes everything on and keeps it. */
export async function startRecordingProxy(origin: string) {
  const recorded: Recorded[] = [];
  const server = createServer((asked, reply) => {
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const passed = request(new URL(asked.url ?? "/", origin), { method: asked.method, headers, setHost: false });
    passed.on("response", (response) => {
      void buffer(response).then((body) => {
        const { "set-cookie": cookies = [], ...others } = response.headers;
        const answer = `${JSON.stringify(others)}\n${body.toString()}`;
        recorded.push({ target: `${asked.method} ${asked.url}`, answer, cookies });
        return reply.writeHead(response.statusCode ?? 500, response.rawHeaders).end(body);
      });
    });
    passed.on("error", () => reply.destroy());
    asked.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    recorded,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
