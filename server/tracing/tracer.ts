import type { Facts, Span } from "./spans.ts";

/** Writes requests down, each with its parts. */
export type Tracer = {
  /** Begins a request's span, as a part of what `traceparent` names where a proxy has begun it. */
  begin(name: string, facts: Facts, traceparent: string | undefined): Span;
  /** Sends what is left, for some seconds at most. */
  close(): Promise<void>;
};

/** The tracer that is configured, if any. Its libraries are loaded with it. */
export async function openTracer(endpoint: string | undefined): Promise<Tracer | undefined> {
  if (!endpoint) return undefined;
  const otlp = await import("./otlp.ts");
  return otlp.openTracer(endpoint);
}
