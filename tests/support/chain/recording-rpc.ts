import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { startStandIn } from "./node-pass.ts";

/** Forwards everything to a node, and records the names of the methods called. */
export async function createRecordingProxy(nodeUrl: string) {
  const calls: string[] = [];

  async function pass(request: IncomingMessage) {
    const body = await text(request);
    calls.push((JSON.parse(body) as { method: string }).method);
    const answer = await fetch(nodeUrl, { method: "POST", body, headers: { "Content-Type": "application/json" } });
    return answer.text();
  }
  const { stop, url } = await startStandIn((request, response) => {
    pass(request).then(
      (answer) => response.writeHead(200, { "Content-Type": "application/json" }).end(answer),
      () => response.destroy(),
    );
  });
  return { url, calls, stop, forget: () => void (calls.length = 0) };
}

export type RecordingProxy = Awaited<ReturnType<typeof createRecordingProxy>>;
