import { AsyncLocalStorage } from "node:async_hooks";
import { currentDetour } from "../db/guarded-pool.ts";
import type { Endpoint } from "./contract.ts";

/**
 * What calls made for one page share. Only the in-process transport passes one; a call over HTTP stands alone.
 */
export type CallScope = {
  /** Whom the page is made for. */
  clientAddress: string;
  /** What was asked for, by its name, until one of the calls may have changed it. */
  answers: Map<string, Promise<unknown>>;
};

export const createCallScope = (clientAddress: string): CallScope => ({ clientAddress, answers: new Map() });

const current = new AsyncLocalStorage<CallScope | undefined>();

/** Answers one call of a page. What it may have written is asked for anew by the calls after it. */
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

/** Asks once for what several calls of a page need; each time where there is no page, and in a call that writes. */
export function oncePerPage<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  const answers = current.getStore()?.answers;
  // What a replica says is not for those who ask the primary, as they do where it fails.
  const key = currentDetour.getStore()?.open ? `replica's ${name}` : name;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one name is always one question
  const known = answers?.get(key) as Promise<Answer> | undefined;
  if (known) return known;
  const answer = ask();
  answers?.set(key, answer);
  return answer;
}
