import { Hono } from "hono";
import type { Status } from "../db/unavailable.ts";
import type { HttpEnv } from "./http-env.ts";
import { exactPath } from "./middleware/exact-path.ts";
import { onlyRead } from "./middleware/only-read.ts";

export type Health = {
  /** Where the data comes from. `check` says whether it answers, within its own timeout. */
  reason: "database" | "backend";
  check: () => Promise<Status>;
  /** Whether the chain has been in order at least once. A later outage must not block the rest of the product. */
  checkChain: () => Promise<Status>;
  /** Whether the server is about to stop. It still answers requests. */
  isLeaving: () => boolean;
};

/** /healthz: the process is alive. /readyz: the server can take work, so a load balancer may send it requests. */
export function healthRoutes({ reason, check, checkChain, isLeaving }: Health) {
  const app = new Hono<HttpEnv>();
  app.all("/healthz", exactPath, onlyRead, (c) => c.json({ status: "ok" }));
  app.all("/readyz", exactPath, onlyRead, async (c) => {
    if (isLeaving()) return c.json({ status: "unavailable", reason: "shutting down" }, 503, { "Retry-After": "5" });
    const source = await check();
    if (!source.ok) {
      c.get("log").error({ reason: source.reason }, "not ready");
      return c.json({ status: "unavailable", reason, detail: source.reason }, 503, { "Retry-After": "5" });
    }
    const chain = await checkChain();
    if (chain.ok) return c.json({ status: "ok" });
    return c.json({ status: "unavailable", reason: "chain", detail: chain.reason }, 503, { "Retry-After": "5" });
  });
  return app;
}
