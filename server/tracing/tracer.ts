import type { Facts, Span } from "./spans.ts";

/** Records requests as spans, with their parts. */
export type Tracer = {
  /** Begins a request's span, as part of the trace that `traceparent` names if a proxy has started one. */
  begin(name: string, facts: Facts, traceparent: string | undefined): Span;
  /** Sends the remaining spans. Takes a few seconds at most. */
  close(): Promise<void>;
};

/** Opens the configured tracer, if any. Only then are its libraries loaded. */
export async function openTracer(endpoint: string | undefined): Promise<Tracer | undefined> {
  if (!endpoint) return undefined;
  const otlp = await import("./otlp.ts");
  return otlp.openTracer(endpoint);
}
