import { AsyncLocalStorage } from "node:async_hooks";
import { poolOverride } from "../db/guarded-pool.ts";
import type { Endpoint } from "./contract.ts";

/** What the calls made for one page share. Only the in-process transport passes a scope; a call over HTTP has none. */
export type CallScope = {
  /** The client that the page is rendered for. */
  clientAddress: string;
  /** Answers by name, until a call of the page may have changed them. */
  answers: Map<string, Promise<unknown>>;
};

export const createCallScope = (clientAddress: string): CallScope => ({ clientAddress, answers: new Map() });

const current = new AsyncLocalStorage<CallScope | undefined>();

/** Answers one call of a page. After a call that may have written, later calls do not reuse earlier answers. */
export async function callWithin<Result>(
  scope: CallScope | undefined,
  { method }: Pick<Endpoint, "method">,
  answer: () => Promise<Result>,
): Promise<Result> {
  if (!scope) return answer();
  if (method === "GET") return current.run(scope, answer);
  try {
    return await answer();
  } finally {
    scope.answers.clear();
  }
}

/**
 * Shares one answer among the calls of a page that need it. Asks every time outside of a page, and in a call that
 * writes.
 */
export function oncePerPage<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  const answers = current.getStore()?.answers;
  // Keeps a replica's answers apart. Calls that ask the primary, as after a failure of the replica, must not get them.
  const key = poolOverride.getStore()?.open ? `replica's ${name}` : name;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same name always asks for the same type
  const known = answers?.get(key) as Promise<Answer> | undefined;
  if (known) return known;
  const answer = ask();
  answers?.set(key, answer);
  return answer;
}
