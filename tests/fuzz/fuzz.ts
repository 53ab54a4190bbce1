import * as fc from "fast-check";
import type { Caller, Input } from "./inputs.ts";
import { judge, MAX_MS, type FuzzResponse } from "./judge.ts";

type Finding = { input: Input; problems: string[] };

/** Sends an input as its caller, from a new client address. */
export type Send = (input: Input, headers: Record<string, string>) => Promise<FuzzResponse>;

type Fuzz = {
  /** The kinds of input to draw from, each as often as the others. */
  inputs: fc.Arbitrary<Input>[];
  count: number;
  seed: number;
  send: Send;
  /** Creates the callers' headers: again now and then, because an input may sign them out or block them. */
  callers: () => Promise<Record<Caller, Record<string, string>>>;
  /** What only administrators may see. */
  secrets: string[];
  onProgress?: (sent: number) => void;
};

const RENEWED_AFTER = 100;
/** How many are sent at once. */
const AT_ONCE = 8;

/** Sends what a seed generates, which is always the same, and returns each problem of each call once. */
export async function fuzz({ callers, count, inputs, secrets, seed, send, onProgress }: Fuzz) {
  const findings = new Map<string, Finding>();
  const statuses = new Map<number, number>();
  const drawn = fc.sample(fc.oneof(...inputs), { seed, numRuns: count });

  async function trySending(input: Input, known: Record<Caller, Record<string, string>>, index: number) {
    const headers = { ...addressOf(index), ...known[input.as], ...input.headers };
    const told = input.as === "administrator" ? [] : secrets;
    const sent = JSON.stringify(input);
    const answer = await send(input, headers);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    let problems = judge(answer, sent, told);
    // A busy machine may delay any response once.
    if (answer.milliseconds > MAX_MS) problems = judge(await send(input, headers), sent, told);
    const key = `${input.method} ${input.path.split("?")[0]} ${problems.join()}`;
    if (problems.length > 0 && !findings.has(key)) findings.set(key, { input, problems });
  }

  for (let from = 0; from < drawn.length; from += RENEWED_AFTER) {
    const known = await callers();
    const batch = drawn.slice(from, from + RENEWED_AFTER).entries();
    const worker = async () => {
      for (const [index, input] of batch) await trySending(input, known, from + index);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    onProgress?.(Math.min(from + RENEWED_AFTER, drawn.length));
  }
  return { findings: [...findings.values()], statuses };
}

/** Gives each request another address, so that a client's rate limits do not hide what is behind them. */
const addressOf = (index: number) => ({
  "X-Forwarded-For": `2001:db8:${((index >> 16) & 0xffff).toString(16)}:${(index & 0xffff).toString(16)}::1`,
});
