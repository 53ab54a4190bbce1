import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "pino";

/** The request that the current code works for, and the log that has its id already, where there is one. */
type CurrentRequest = { requestId: string; log?: Logger };

const current = new AsyncLocalStorage<CurrentRequest>();

/**
 * Does a request's work, or what it has left to be done later: every line that is logged meanwhile has its id,
 * whichever part of the server writes it.
 */
export const workFor = <Result>(request: CurrentRequest, work: () => Result): Result => current.run(request, work);

/** The id of the request that the current code works for. Null for what nobody has asked for. */
export const findRequestId = (): string | null => current.getStore()?.requestId ?? null;

/** What a line of a log is joined to its request by. */
export function joinRequest(_line: object, _level: number, log: Logger): { requestId?: string } {
  const request = current.getStore();
  return !request || request.log === log ? {} : { requestId: request.requestId };
}
