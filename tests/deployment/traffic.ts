import { fork } from "node:child_process";
import { once } from "node:events";
import type { MixOptions } from "./mix.ts";

export type TrafficOptions = {
  /** Of the proxy, or of each process, which then have their turns. */
  urls: string[];
  /** The authority that the proxy's certificate is of. */
  ca?: string | undefined;
  /** Requests a second, whether or not those before have been answered. */
  rate: number;
  /** Until it is stopped, unless given. */
  seconds?: number;
  /** The first of them, in which only writes are counted: clients and connections that are new are slow themselves. */
  uncounted?: number;
  /** Where in the mix it begins: no two runs may send the same heartbeats. */
  from?: number;
  /** Streams of events that are open beside. */
  streams: number;
  mix: MixOptions;
};

export type StreamCounts = { opened: number; ended: number; broken: number; events: number; reasons: string[] };
export type Write = { kind: "beat" | "device"; member: number; mark: string };

export type TrafficResult = {
  seconds: number;
  sent: number;
  /** Held back, since too many were open or the clients were late themselves. */
  notSent: number;
  /** Milliseconds of each answer, from when its request was due. */
  latencies: number[];
  statuses: Record<string, number>;
  /** Answered by 503 with Retry-After. */
  shed: number;
  /** Neither answered nor shed. */
  errors: number;
  firstErrors: string[];
  /** When counting began, in milliseconds of the clock. */
  startedAt: number;
  /**
   * Milliseconds since then at which a request was due that was shed, an error, or answered after more than a second.
   */
  troubledAt: number[];
  attempted: Write[];
  acknowledged: Write[];
  streams: StreamCounts;
};

type Traffic = {
  /** Tells what came of it, once every request has been answered. */
  result: Promise<TrafficResult>;
  stop(): Promise<TrafficResult>;
};

/** Starts an installation's clients in a process of their own. */
export function startTraffic(options: TrafficOptions): Traffic {
  const child = fork(new URL("./traffic-process.ts", import.meta.url), { execArgv: [] });
  const result = Promise.race([
    once(child, "message").then(([message]) => message as TrafficResult),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`The traffic ended with ${code}`))),
  ]);
  // Whoever asks for it is told.
  result.catch(() => {});
  child.send({ start: options });
  function stop() {
    child.send("stop");
    return result;
  }
  return { result, stop };
}

/** The value below which such a part of all lies. */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
