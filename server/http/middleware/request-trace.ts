import { createMiddleware } from "hono/factory";
import { within } from "../../tracing/spans.ts";
import type { Tracer } from "../../tracing/tracer.ts";
import type { HttpEnv } from "../http-env.ts";
import { nameMethod, nameRoute } from "./request-metrics.ts";

/** Records each request as a span named by its method and route pattern. Calls and queries become child spans. */
export function requestTrace(tracer: Tracer | undefined) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    if (!tracer) return next();
    const method = nameMethod(c);
    const facts = { "http.request.method": method, "nodebeat.request_id": c.get("requestId") };
    const span = tracer.begin(method, facts, c.get("traceparent"));
    await within(span, next);
    const { status } = c.res;
    const route = nameRoute(c);
    span.end({
      name: `${method} ${route}`,
      facts: { "http.route": route, "http.response.status_code": status },
      failure: status >= 500 ? String(status) : undefined,
    });
  });
}
