import { Hono } from "hono";
import { AppError } from "../errors.ts";
import { isSameSecret } from "../secrets/same-secret.ts";
import type { HttpEnv } from "./http-env.ts";
import { exactPath } from "./middleware/exact-path.ts";
import { requireRead } from "./middleware/only-read.ts";

export type MetricsPage = {
  /** Gives access. Without a token the page does not exist. */
  token: string | undefined;
  contentType: string;
  render: () => Promise<string>;
};

/** Serves /metrics, which Prometheus scrapes. */
export function metricsRoutes({ contentType, render, token }: MetricsPage) {
  const app = new Hono<HttpEnv>();
  app.all("/metrics", exactPath, async (c) => {
    if (!token) throw new AppError("NOT_FOUND", "There is no such page.");
    requireRead(c.req.method);
    const given = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    if (!isSameSecret(given, token)) throw new AppError("UNAUTHENTICATED", "This page needs the metrics token.");
    return c.body(await render(), 200, { "Content-Type": contentType });
  });
  return app;
}
