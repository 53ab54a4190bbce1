import { AppError } from "../errors.ts";
import { isCallersOwn, isDatabaseUnavailable } from "../db/unavailable.ts";
import type { Logger } from "../log/log.ts";

/** What was asked for, from where, and by whom as far as that is known: for the log. */
export type Attempt = { call: string; network: string | null; member?: string };

/**
 * The failure to answer with. What nobody expected is logged in full and said in general; what was refused is logged
 * without anything of what was sent, so that whoever tries doors can be found.
 */
export function explainError(error: Error, log: Logger, attempt?: Attempt): AppError {
  if (error instanceof AppError) {
    if (error.code !== "NOT_FOUND") log.info({ ...describeRefusal(error), ...attempt }, "refused");
    return error;
  }
  if (isDatabaseUnavailable(error)) {
    if (isCallersOwn(error)) log.info("Refused a caller who has too much under way");
    else log.error({ err: error }, "The database is not available");
    return new AppError("UNAVAILABLE", "The service is busy. Please try again in a moment.", { retryAfter: 5 });
  }
  log.error({ err: error, ...attempt }, "Unexpected error");
  return new AppError("INTERNAL_ERROR", "Something went wrong, please try again!");
}

const describeRefusal = ({ code, fields }: AppError) => ({ code, ...(fields && { fields: Object.keys(fields) }) });

/** Characters of a path that are logged. */
export const MAX_LOGGED_PATH = 512;

/** How a call is named in the log: without its query, which may hold what nobody else should read. */
export const nameCall = (method: string, path: string): string => `${method} ${path.slice(0, MAX_LOGGED_PATH)}`;
