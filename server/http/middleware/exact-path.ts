import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../http-env.ts";
import { findSentPath } from "../listening/sent-path.ts";

/**
 * Only answers if the path was sent exactly as in the route. A proxy that keeps a path private compares the path as
 * sent: it lets `/%72eadyz` and `/a/../readyz` through, which would otherwise match here.
 */
export const exactPath = createMiddleware<HttpEnv>(async (c, next) => {
  const sent = findSentPath(c.env?.incoming?.url || new URL(c.req.url).pathname);
  if (sent !== c.req.path) throw new AppError("NOT_FOUND", "There is no such page.");
  return next();
});
