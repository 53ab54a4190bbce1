import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";

/*
 * Nodes that send heartbeats, in their own process: each connection sends its next request when the previous one has
 * been answered. Started by heartbeats.ts over IPC; reports what was acknowledged, and when.
 */

export type LoadOptions = {
  url: string;
  /** The nodes' keys, of which each connection has its own share. */
  keys: string[];
  /** How many heartbeats one request has. */
  batch: number;
  /** The start of the newest slot, and the length of a slot, in milliseconds. */
  newest: number;
  interval: number;
  /** How many slots a node fills, going back in time. */
  slots: number;
  connections: number;
  seconds: number;
};

export type LoadResult = {
  seconds: number;
  acknowledged: number;
  /** How long each response took, in milliseconds. */
  latencies: number[];
  /** How many responses had each status. A request that was cut off has none. */
  statuses: Record<string, number>;
  /** How many slots of each key were acknowledged, counted from the newest, in the order of the keys. */
  filled: number[];
};

process.once("message", (options: LoadOptions) => {
  void run(options).then((result) => process.send?.(result, () => process.disconnect()));
});

async function run(options: LoadOptions): Promise<LoadResult> {
  const { connections, keys, seconds } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const result: LoadResult = { seconds, acknowledged: 0, latencies: [], statuses: {}, filled: keys.map(() => 0) };
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      // The nodes of different members have different addresses, and each address its own limits.
      const source = { agent, localAddress: `127.0.1.${connection + 1}` };
      for (const turn of beatsOf(options, connection)) {
        if (performance.now() >= end || !(await send(source, options, turn, result))) return;
      }
      throw new Error("There are too few nodes for so many seconds");
    }),
  );
  agent.destroy();
  return { ...result, seconds: (performance.now() - start) / 1000 };
}

type Turn = { key: number; from: number };
type Source = { agent: Agent; localAddress: string };

/** Yields the requests of one connection's nodes in turn: one batch each, then the batch before it. */
function* beatsOf({ batch, connections, keys, slots }: LoadOptions, connection: number): Generator<Turn> {
  for (let from = 0; from + batch <= slots; from += batch) {
    for (let key = connection; key < keys.length; key += connections) yield { key, from };
  }
}

/** Returns false if the server is gone. */
async function send(from: Source, { batch, interval, keys, newest, url }: LoadOptions, turn: Turn, result: LoadResult) {
  const beats = Array.from({ length: batch }, (_, index) => ({
    timestamp: new Date(newest - (turn.from + index) * interval).toISOString(),
  }));
  const start = performance.now();
  const answer = await post(from, url, keys[turn.key] ?? "", JSON.stringify({ beats })).catch(() => undefined);
  if (!answer) return false;
  result.latencies.push(performance.now() - start);
  result.statuses[answer.status] = (result.statuses[answer.status] ?? 0) + 1;
  if (answer.status !== 200) return true;
  result.acknowledged += (JSON.parse(answer.body) as { accepted: number }).accepted;
  result.filled[turn.key] = turn.from + batch;
  return true;
}

function post(from: Source, url: string, key: string, body: string) {
  const { promise, reject, resolve } = Promise.withResolvers<{ status: number; body: string }>();
  const sent = request(`${url}/api/heartbeats`, {
    ...from,
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
  });
  sent.on("error", reject);
  sent.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => (text += chunk));
    response.on("error", reject);
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
  });
  sent.end(body);
  return promise;
}
