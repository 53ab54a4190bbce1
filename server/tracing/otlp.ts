import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Facts, Span } from "./spans.ts";
import type { Tracer } from "./tracer.ts";

/** Milliseconds until a collector that does not answer is given up. */
const EXPORT_LIMIT = 5_000;

/**
 * Opens a tracer that sends spans to a collector, by OTLP over HTTP. Registers nothing globally, so that each server
 * has its own.
 */
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
    // Spans that a collector does not accept are lost, but never delay anything.
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Parses the context of a trace that a proxy has started (W3C Trace Context). */
function readParent(traceparent = ""): Context {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
