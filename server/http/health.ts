import { Hono } from "hono";
import type { Status } from "../db/unavailable.ts";
import type { HttpEnv } from "./http-env.ts";
import { exactPath } from "./middleware/exact-path.ts";
import { onlyRead } from "./middleware/only-read.ts";

export type Health = {
  /** What the data comes from, and whether it answers, within its own time-out. */
  reason: "database" | "backend";
  check: () => Promise<Status>;
  /** Whether the chain was as it must be, at least once: an outage later keeps nobody from the rest of the product. */
  checkChain: () => Promise<Status>;
  /** Whether the server is about to stop, though it still answers. */
  isLeaving: () => boolean;
};

/** /healthz: the process is alive. /readyz: it can take work, so a balancer may send it some. */
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
