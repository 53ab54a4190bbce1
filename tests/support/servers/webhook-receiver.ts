import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { createCertificate } from "./certificates.ts";
import { answerWith, serveLocally } from "./serve-locally.ts";

type Received = { headers: Record<string, string>; text: string };
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const agree: Answer = (response) => response.end("ok");

/** Starts a webhook receiver over https, with a certificate that only `ca` vouches for. */
export async function startReceiver() {
  const certified = createCertificate({ host: "127.0.0.1" });
  const received: Received[] = [];
  let answer = agree;
  async function receive(request: IncomingMessage, response: ServerResponse) {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    received.push({ headers, text: await text(request) });
    answer(response, request);
  }
  const server = createServer(certified, answerWith(receive));
  const { port, close } = await serveLocally(server);
  return {
    url: `https://127.0.0.1:${port}/hooks`,
    ca: certified.cert,
    received,
    /** Sets the response to the next messages. */
    answer(next: Answer) {
      answer = next;
    },
    reset() {
      received.length = 0;
      answer = agree;
    },
    stop: close,
  };
}
