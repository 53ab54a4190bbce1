import { once } from "node:events";
import { Agent as HttpAgent, request as requestByHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestByHttps } from "node:https";
import { performance } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { describeRequest, type Wanted } from "./mix.ts";
import { listenToEvents } from "./streams.ts";
import type { TrafficOptions, TrafficResult } from "./traffic.ts";

/*
 * The clients of an installation, in their own process: they send a fixed number of requests per second, whether or not
 * earlier ones have been answered, each member from their own address. traffic.ts starts and stops this over IPC.
 */

const TIMEOUT_MS = 20_000;
/**
 * Above this many unanswered requests, or when running late, this process sends nothing: it must not become the
 * bottleneck that is measured.
 */
const MOST_OPEN = 4_000;
const MOST_ERRORS = 20;
const LATE = 1_000;

export type SendRequest = (
  wanted: Pick<Wanted, "method" | "path" | "headers" | "member" | "body">,
) => Promise<IncomingMessage>;

const stopping = new AbortController();

process.on("message", (message: { start: TrafficOptions } | "stop") => {
  if (message === "stop") return stopping.abort();
  void run(message.start).then((result) => process.send?.(result, () => process.disconnect()));
});

async function run(options: TrafficOptions): Promise<TrafficResult> {
  const sendRequest = createClients(options);
  const result: TrafficResult = {
    seconds: 0,
    sent: 0,
    notSent: 0,
    latencies: [],
    statuses: {},
    shed: 0,
    errors: 0,
    firstErrors: [],
    attempted: [],
    acknowledged: [],
    startedAt: Date.now() + (options.uncounted ?? 0) * 1000,
    troubledAt: [],
    streams: { opened: 0, ended: 0, broken: 0, events: 0, reasons: [] },
  };
  const { attempted, acknowledged } = result;
  const aside: TrafficResult = { ...structuredClone(result), attempted, acknowledged };
  const streams = listenToEvents(options, sendRequest, result.streams, stopping.signal);
  const open = new Set<Promise<void>>();
  const start = performance.now();
  const countFrom = start + (options.uncounted ?? 0) * 1000;
  for (let n = 0; !stopping.signal.aborted; n++) {
    const due = start + (n * 1000) / options.rate;
    if (options.seconds && due > start + options.seconds * 1000) break;
    const early = due - performance.now();
    if (early > 1) await wait(early, undefined, { signal: stopping.signal }).catch(() => {});
    if (stopping.signal.aborted) break;
    if (open.size >= MOST_OPEN || early < -LATE) {
      if (due >= countFrom) result.notSent += 1;
      continue;
    }
    const wanted = describeRequest(options.mix, n + (options.from ?? 0));
    const counted = due < countFrom ? aside : result;
    const answered = send(sendRequest, wanted, { due, start: countFrom, result: counted }).finally(() =>
      open.delete(answered),
    );
    open.add(answered);
  }
  await Promise.all(open);
  result.seconds = (performance.now() - countFrom) / 1000;
  stopping.abort();
  await streams;
  return result;
}

/** Creates an address and a pool of persistent connections for each member. */
function createClients({ urls, ca }: TrafficOptions): SendRequest {
  const isSecure = urls[0]?.startsWith("https:");
  const agents = new Map<number, HttpAgent>();
  let asked = 0;
  return async ({ member, method, path, headers, body }) => {
    let agent = agents.get(member);
    if (!agent) {
      const localAddress = `127.1.${Math.floor(member / 250)}.${(member % 250) + 1}`;
      const rules = { keepAlive: true, localAddress, ...(ca && { ca }) };
      agent = isSecure ? new HttpsAgent(rules) : new HttpAgent(rules);
      agents.set(member, agent);
    }
    const request = (isSecure ? requestByHttps : requestByHttp)(`${urls[asked++ % urls.length]}${path}`, {
      agent,
      method,
      headers: { ...headers, ...(body && { "content-length": Buffer.byteLength(body) }) },
      timeout: TIMEOUT_MS,
    });
    request.once("timeout", () => request.destroy(new Error("no answer in time")));
    // The reader of the response gets the error.
    request.on("error", () => {});
    request.end(body);
    const [response]: IncomingMessage[] = await once(request, "response");
    if (!response) throw new Error("no answer");
    return response;
  };
}

type Context = { due: number; start: number; result: TrafficResult };

async function send(sendRequest: SendRequest, wanted: Wanted, { due, start, result }: Context): Promise<void> {
  result.sent += 1;
  const { kind, mark, member, method, path } = wanted;
  const write = mark && (kind === "beat" || kind === "device") ? { kind, member, mark } : undefined;
  if (write) result.attempted.push(write);
  const fail = (what: string) => {
    result.errors += 1;
    result.troubledAt.push(due - start);
    if (result.firstErrors.length < MOST_ERRORS) {
      const at = ((performance.now() - start) / 1000).toFixed(1);
      result.firstErrors.push(`${at} s: ${method} ${path}: ${what}`);
    }
  };
  try {
    const response = await sendRequest(wanted);
    const status = response.statusCode ?? 0;
    const body = await text(response);
    const took = performance.now() - due;
    result.latencies.push(took);
    result.statuses[status] = (result.statuses[status] ?? 0) + 1;
    if (took > LATE) result.troubledAt.push(due - start);
    if (status === 503 && response.headers["retry-after"]) {
      result.shed += 1;
      result.troubledAt.push(due - start);
    } else if (status !== 200) fail(`${status} ${toLine(body)}`);
    else if (kind === "beat" && !body.includes('"accepted":1')) fail(`it was not the first: ${toLine(body)}`);
    else if (write) result.acknowledged.push(write);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

const toLine = (body: string) => body.replaceAll(/\s+/g, " ").slice(0, 80);
