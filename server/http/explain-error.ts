import { AppError } from "../errors.ts";
import { isCallerQueueFull, isDatabaseUnavailable } from "../db/unavailable.ts";
import type { Logger } from "../log/log.ts";

/** What was called, from where, and by which member if known. Written to the log. */
export type Attempt = { call: string; network: string | null; member?: string };

/**
 * Returns the error to respond with. Unexpected errors are logged in full, but only described in general to the caller.
 * Refusals (except NOT_FOUND) are logged without any submitted values, so that people who probe the service can be
 * found.
 */
export function explainError(error: Error, log: Logger, attempt?: Attempt): AppError {
  if (error instanceof AppError) {
    if (error.code !== "NOT_FOUND") log.info({ ...describeRefusal(error), ...attempt }, "refused");
    return error;
  }
  if (isDatabaseUnavailable(error)) {
    if (isCallerQueueFull(error)) log.info("Refused a caller who has too much under way");
    else log.error({ err: error }, "The database is not available");
    return new AppError("UNAVAILABLE", "The service is busy. Please try again in a moment.", { retryAfter: 5 });
  }
  log.error({ err: error, ...attempt }, "Unexpected error");
  return new AppError("INTERNAL_ERROR", "Something went wrong, please try again!");
}

const describeRefusal = ({ code, fields }: AppError) => ({ code, ...(fields && { fields: Object.keys(fields) }) });

/** How many characters of a path to log. */
export const MAX_LOGGED_PATH = 512;

/** Names a call for the log: without its query, which may contain secrets. */
export const nameCall = (method: string, path: string): string => `${method} ${path.slice(0, MAX_LOGGED_PATH)}`;
