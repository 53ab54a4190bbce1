import { ApiError } from "../api/api-error.ts";
import { logContext, type PageContext } from "./context.ts";
import { requestContext } from "./request-context.ts";

/**
 * Logs that a call has failed. A refusal that the client has caused, such as of a made-up id, is a short line at info
 * level beside that of its request: anyone can cause any number of them, and errors are for operators.
 */
export function logFailure(context: PageContext, error: unknown, message: string): void {
  const log = context.get(logContext);
  if (!isRefusal(error)) log.error({ err: error }, message);
  else log.info({ code: error.code, status: error.status, reason: error.message }, message);
}

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Reports an unexpected error that is in no other log. */
export function reportFault(context: PageContext, error: unknown): void {
  const { reportError } = context.get(requestContext);
  // oxlint-disable-next-line no-console -- the last resort, when nobody else listens
  (reportError ?? console.error)(error);
}
