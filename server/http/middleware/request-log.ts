import { createMiddleware } from "hono/factory";
import { MAX_LOGGED_PATH } from "../explain-error.ts";
import type { HttpEnv } from "../http-env.ts";

const WATCHED = new Set(["/healthz", "/readyz", "/metrics"]);

/** Logs one line per request. Paths that are polled every few seconds are logged at debug level. */
export function requestLog() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const start = performance.now();
    await next();
    const line = {
      method: c.req.method,
      path: describePath(c.req.url, c.req.path),
      status: c.res.status,
      ms: Math.round((performance.now() - start) * 100) / 100,
    };
    c.get("log")[WATCHED.has(c.req.path) ? "debug" : "info"](line, "request");
  });
}

/** Returns the path with the names of its query fields. Their values may be tokens or addresses. */
function describePath(url: string, path: string) {
  const query = url.indexOf("?");
  const shown = path.slice(0, MAX_LOGGED_PATH);
  if (query === -1) return shown;
  const names = new Set(new URLSearchParams(url.slice(query + 1)).keys());
  return `${shown}?${[...names].join("&")}`.slice(0, MAX_LOGGED_PATH);
}
