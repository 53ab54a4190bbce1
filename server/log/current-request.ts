import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "pino";

/** The request that the current code works for, and the logger that already adds its id, if there is one. */
type CurrentRequest = { requestId: string; log?: Logger };

const current = new AsyncLocalStorage<CurrentRequest>();

/**
 * Runs the work of a request, including work that it queued for later. Every line that is logged meanwhile gets the
 * request's id, whichever part of the server writes it.
 */
export const runForRequest = <Result>(request: CurrentRequest, work: () => Result): Result =>
  current.run(request, work);

/** Returns the id of the request that the current code works for, or null if no request caused the work. */
export const findRequestId = (): string | null => current.getStore()?.requestId ?? null;

/** Returns what links a log line to its request. Empty if the logger already adds the id. */
export function addRequestId(_line: object, _level: number, log: Logger): { requestId?: string } {
  const request = current.getStore();
  return !request || request.log === log ? {} : { requestId: request.requestId };
}
