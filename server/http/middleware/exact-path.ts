import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../http-env.ts";

/**
 * Answers whoever has sent the path as it is written here. A proxy that keeps one to itself compares what was sent, and
 * lets `/%72eadyz` and `/a/../readyz` through, which are the same to us.
 */
export const exactPath = createMiddleware<HttpEnv>(async (c, next) => {
  const sent = c.env?.incoming?.url || new URL(c.req.url).pathname;
  if (sent.split("?", 1)[0] !== c.req.path) throw new AppError("NOT_FOUND", "There is no such page.");
  return next();
});
