import { isDatabaseUnavailable } from "../../server/db/unavailable.ts";
import { AppError } from "../../server/errors.ts";
import type { Endpoint } from "../../server/http/contract.ts";
import { Broken } from "./model.ts";
import type { Random } from "./random.ts";
import { pickProcess, type World } from "./world.ts";

/** What a client knows about its request: it was done, it was refused, or there was no response. */
export type Outcome<Body = unknown> = {
  kind: "done" | "refused" | "unknown";
  /** The code of a refusal; otherwise the status. */
  code: string;
  body: Body;
};

type Options = {
  token?: string;
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  browser?: string;
};

/** How often a client repeats a request without a response. */
const REPEATS = 3;

/** Makes one call, to any of the processes. Most clients repeat a call without a response, unchanged. */
export async function callApi<Body = Record<string, never>>(
  world: World,
  random: Random,
  endpoint: Endpoint,
  { browser, headers, ...options }: Options = {},
): Promise<Outcome<Body>> {
  const own = { ...headers, ...(browser && { "x-device-token": browser.padEnd(43, "x") }) };
  const clientAddress = `10.${random.below(200)}.${random.below(200)}.7`;
  return retryUnknown(random, async () => {
    const { body, status } = await pickProcess(world, random).call(endpoint, {
      ...options,
      headers: own,
      clientAddress,
    });
    const { error = String(status) } = (body ?? {}) as { error?: string };
    if (status >= 500 && status !== 503) throw new Broken(`${endpoint.method} ${endpoint.path} answered ${status}`);
    if (status === 503 || (world.parties.responsesAreLost && random.chance(0.3))) return unknown(body as Body);
    return { kind: status < 400 ? "done" : "refused", code: status < 400 ? String(status) : error, body: body as Body };
  });
}

/** The same for what an operator does on the machine. */
export async function operate<Result>(random: Random, work: () => Promise<Result>): Promise<Outcome<Result>> {
  return retryUnknown(random, async () => {
    try {
      return { kind: "done", code: "done", body: await work() };
    } catch (error) {
      const nothing = undefined as Result;
      if (error instanceof AppError) return { kind: "refused", code: error.code, body: nothing };
      if (isDatabaseUnavailable(error)) return unknown(nothing);
      throw error;
    }
  });
}

const unknown = <Body>(body: Body): Outcome<Body> => ({ kind: "unknown", code: "no answer", body });

async function retryUnknown<Body>(random: Random, attempt: () => Promise<Outcome<Body>>): Promise<Outcome<Body>> {
  let outcome = await attempt();
  for (let repeats = 0; outcome.kind === "unknown" && repeats < REPEATS && random.chance(0.7); repeats += 1) {
    const again = await attempt();
    // A refusal now may mean that it was done before: only the client's own knowledge can tell.
    outcome = again.kind === "refused" ? { ...again, kind: "unknown" } : again;
    if (again.kind === "refused") break;
  }
  return outcome;
}
