import { Hono } from "hono";
import type { HttpEnv } from "./http-env.ts";

export type Health = {
  /** Whether the database answers, within its own time-out. */
  check: () => Promise<{ ok: true } | { ok: false; reason: string }>;
  isDraining: () => boolean;
};

/** /healthz: the process is alive. /readyz: it can take work, so a balancer may send it some. */
export function healthRoutes({ check, isDraining }: Health) {
  const app = new Hono<HttpEnv>();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    if (isDraining()) return c.json({ status: "unavailable", reason: "shutting down" }, 503, { "Retry-After": "5" });
    const database = await check();
    if (database.ok) return c.json({ status: "ok" });
    c.get("log").error({ reason: database.reason }, "not ready");
    return c.json({ status: "unavailable", reason: "database" }, 503, { "Retry-After": "5" });
  });
  return app;
}
