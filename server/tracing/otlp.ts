import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Facts, Span } from "./spans.ts";
import type { Tracer } from "./tracer.ts";

/** Milliseconds until a collector that does not answer is given up. */
const EXPORT_LIMIT = 5_000;

/** Sends spans to a collector, by OTLP over HTTP. Nothing of it is registered for the process: a server has its own. */
export function openTracer(endpoint: string): Tracer {
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_LIMIT });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "nodebeat" }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_LIMIT })],
  });
  const tracer = provider.getTracer("nodebeat");

  function begin(name: string, attributes: Facts, kind: SpanKind, parent: Context): Span {
    const span = tracer.startSpan(name, { attributes, kind }, parent);
    const context = trace.setSpan(parent, span);
    return {
      begin: (name, facts) =>
        begin(name, facts, "db.system.name" in facts ? SpanKind.CLIENT : SpanKind.INTERNAL, context),
      end({ facts, failure, name } = {}) {
        if (name) span.updateName(name);
        if (facts) span.setAttributes(facts);
        if (failure) span.setAttribute("error.type", failure).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  return {
    begin: (name, facts, traceparent) => begin(name, facts, SpanKind.SERVER, readParent(traceparent)),
    // What a collector does not take is lost, and holds nothing up.
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** The context that a proxy has begun (W3C Trace Context). */
function readParent(traceparent = ""): Context {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
