import { fork } from "node:child_process";
import { once } from "node:events";
import type { MixOptions } from "./mix.ts";

export type TrafficOptions = {
  /** The address of the proxy, or of each process, to be used in turn. */
  urls: string[];
  /** The authority that issued the proxy's certificate. */
  ca?: string | undefined;
  /** How many requests to send per second, whether or not earlier ones have been answered. */
  rate: number;
  /** Until it is stopped, unless given. */
  seconds?: number;
  /** How many of the first seconds count only for writes: new clients and connections are slow themselves. */
  uncounted?: number;
  /** Where in the mix it begins: no two runs may send the same heartbeats. */
  from?: number;
  /** How many event streams are open at the same time. */
  streams: number;
  mix: MixOptions;
};

export type StreamCounts = { opened: number; ended: number; broken: number; events: number; reasons: string[] };
export type Write = { kind: "beat" | "device"; member: number; mark: string };

export type TrafficResult = {
  seconds: number;
  sent: number;
  /** How many were held back, because too many were open or the clients ran late. */
  notSent: number;
  /** How long each response took after its request was due, in milliseconds. */
  latencies: number[];
  statuses: Record<string, number>;
  /** How many were answered with 503 and Retry-After. */
  shed: number;
  /** How many were neither answered nor shed. */
  errors: number;
  firstErrors: string[];
  /** When counting began, in milliseconds since the epoch. */
  startedAt: number;
  /** When requests were due that were shed, failed, or took more than a second: in milliseconds since the start. */
  troubledAt: number[];
  attempted: Write[];
  acknowledged: Write[];
  streams: StreamCounts;
};

type Traffic = {
  /** Resolves to the results once every request has been answered. */
  result: Promise<TrafficResult>;
  stop(): Promise<TrafficResult>;
};

/** Starts an installation's clients in their own process. */
export function startTraffic(options: TrafficOptions): Traffic {
  const child = fork(new URL("./traffic-process.ts", import.meta.url), { execArgv: [] });
  const result = Promise.race([
    once(child, "message").then(([message]) => message as TrafficResult),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`The traffic ended with ${code}`))),
  ]);
  // The caller gets the error. Without this, an error while nobody waits would end the process.
  result.catch(() => {});
  child.send({ start: options });
  function stop() {
    child.send("stop");
    return result;
  }
  return { result, stop };
}
