import { createMiddleware } from "hono/factory";
import { respondWithError } from "../error-response.ts";
import { nameNetwork } from "../client.ts";
import { explainError, nameCall } from "../explain-error.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";

/**
 * Responds to an error that no handler caught. The cause goes to the log; the reader gets the request's id to quote.
 */
export function respondToUnexpected(thrown: Error, c: HttpContext): Response {
  // Nobody reads the response, and a body that stops arriving is not our fault.
  if (c.req.raw.signal.aborted) return new Response(null, { status: 400 });
  const attempt = { call: nameCall(c.req.method, c.req.path), network: nameNetwork(c.get("clientAddress")) };
  return respondWithError(c, explainError(thrown, c.get("log"), attempt));
}

/** Turns anything thrown into an Error, because Hono handles nothing else. */
export function wrapThrown() {
  return createMiddleware<HttpEnv>(async (_, next) => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof Error) throw thrown;
      throw new Error(`Thrown: ${String(thrown)}`, { cause: thrown });
    }
  });
}
