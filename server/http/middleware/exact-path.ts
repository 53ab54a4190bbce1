import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../http-env.ts";

/**
 * Only answers if the path was sent exactly as in the route. A proxy that keeps a path private compares the path as
 * sent: it lets `/%72eadyz` and `/a/../readyz` through, which would otherwise match here.
 */
export const exactPath = createMiddleware<HttpEnv>(async (c, next) => {
  const sent = c.env?.incoming?.url || new URL(c.req.url).pathname;
  if (sent.split("?", 1)[0] !== c.req.path) throw new AppError("NOT_FOUND", "There is no such page.");
  return next();
});
