import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";

/*
 * Nodes that beat, in a process of their own: as many connections as asked for, each sending its next request when the
 * one before has been answered. Started by heartbeats.ts over IPC; tells what was acknowledged, and when.
 */

export type LoadOptions = {
  url: string;
  /** The nodes' keys; each connection has its own share of them. */
  keys: string[];
  /** Beats of one request. */
  batch: number;
  /** Start of the newest slot, and the length of one, in milliseconds. */
  newest: number;
  interval: number;
  /** Slots that a node fills, going back in time. */
  slots: number;
  connections: number;
  seconds: number;
};

export type LoadResult = {
  seconds: number;
  acknowledged: number;
  /** Milliseconds of each answer. */
  latencies: number[];
  /** How many answers of each kind; a request that was cut off has none. */
  statuses: Record<string, number>;
  /** Of each key, by its place in the list, how many of its slots were acknowledged, counted from the newest. */
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
      for (const { from, key } of beatsOf(options, connection)) {
        if (performance.now() >= end || !(await send(agent, options, { from, key }, result))) return;
      }
      throw new Error("There are too few nodes for so many seconds");
    }),
  );
  agent.destroy();
  return { ...result, seconds: (performance.now() - start) / 1000 };
}

type Turn = { key: number; from: number };

/** One request after the other of a connection's nodes, in turns: a batch each, then the batch before. */
function* beatsOf({ batch, connections, keys, slots }: LoadOptions, connection: number): Generator<Turn> {
  for (let from = 0; from + batch <= slots; from += batch) {
    for (let key = connection; key < keys.length; key += connections) yield { key, from };
  }
}

/** False when the server is gone. */
async function send(agent: Agent, { batch, interval, keys, newest, url }: LoadOptions, turn: Turn, result: LoadResult) {
  const beats = Array.from({ length: batch }, (_, index) => ({
    timestamp: new Date(newest - (turn.from + index) * interval).toISOString(),
  }));
  const start = performance.now();
  const answer = await post(agent, url, keys[turn.key] ?? "", JSON.stringify({ beats })).catch(() => undefined);
  if (!answer) return false;
  result.latencies.push(performance.now() - start);
  result.statuses[answer.status] = (result.statuses[answer.status] ?? 0) + 1;
  if (answer.status !== 200) return true;
  result.acknowledged += (JSON.parse(answer.body) as { accepted: number }).accepted;
  result.filled[turn.key] = turn.from + batch;
  return true;
}

function post(agent: Agent, url: string, key: string, body: string) {
  const { promise, reject, resolve } = Promise.withResolvers<{ status: number; body: string }>();
  const sent = request(`${url}/api/heartbeats`, {
    agent,
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
