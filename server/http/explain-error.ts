import { AppError } from "../errors.ts";
import { isDatabaseUnavailable } from "../db/client.ts";
import { isCallersOwn } from "../db/unavailable.ts";
import type { Logger } from "../log/log.ts";

/** The failure to answer with. What nobody expected is logged in full and said in general. */
export function explainError(error: Error, log: Logger): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    if (isCallersOwn(error)) log.info("Refused a caller who has too much under way");
    else log.error({ err: error }, "The database is not available");
    return new AppError("UNAVAILABLE", "The service is busy. Please try again in a moment.", { retryAfter: 5 });
  }
  log.error({ err: error }, "Unexpected error");
  return new AppError("INTERNAL_ERROR", "Something went wrong, please try again!");
}
