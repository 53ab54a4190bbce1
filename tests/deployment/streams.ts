import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { SendRequest } from "./traffic-process.ts";
import type { StreamCounts, TrafficOptions } from "./traffic.ts";

/** How soon a browser reconnects to a stream that has ended, in milliseconds. */
const BACK_AFTER = 500;

/** Keeps event streams open, alternating between pages and programs, and reopens each that ends, until stopped. */
export async function listenToEvents(
  { mix, streams: count }: TrafficOptions,
  ask: SendRequest,
  counts: StreamCounts,
  stopping: AbortSignal,
): Promise<void> {
  const listeners = Array.from({ length: count }, async (_, member) => {
    while (!stopping.aborted) {
      await listen(member).catch((error: unknown) => {
        if (stopping.aborted) return;
        counts.broken += 1;
        counts.reasons.push(error instanceof Error ? error.message : String(error));
      });
      await wait(BACK_AFTER, undefined, { signal: stopping }).catch(() => {});
    }
  });
  await Promise.all(listeners);

  async function listen(member: number): Promise<void> {
    const { cookie = "", token = "" } = mix.members[member] ?? {};
    const [path, headers] =
      member % 2 === 0 ? ["/live", { cookie }] : ["/api/events", { authorization: `Bearer ${token}` }];
    const response = await ask({ method: "GET", path, headers, member });
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
    counts.opened += 1;
    response.setEncoding("utf8").on("data", (chunk: string) => {
      counts.events += chunk.split("\ndata: ").length - 1;
    });
    await once(response, "end", { signal: stopping }).finally(() => response.destroy());
    counts.ended += 1;
  }
}
