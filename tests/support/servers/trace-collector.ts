import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { answerWith, serveLocally } from "./serve-locally.ts";

type Value = { stringValue?: string; intValue?: number; doubleValue?: number };
type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
};
type Sent = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };

const toSpan = ({ attributes, ...span }: SentSpan) => ({
  ...span,
  attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
});

/** Starts a trace collector: it accepts OTLP as JSON over HTTP, and returns what it received. */
export async function startCollector() {
  const bodies: string[] = [];
  async function take(request: IncomingMessage, response: ServerResponse) {
    bodies.push(await readText(request));
    response.writeHead(request.url === "/v1/traces" ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
  }
  const server = createServer(answerWith(take));
  const { url, close } = await serveLocally(server);

  return {
    url,
    text: () => bodies.join("\n"),
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans.map(toSpan)),
        ),
      ),
    reset() {
      bodies.length = 0;
    },
    stop: close,
  };
}
