import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "../errors.ts";

/** Attributes of a span: our own names and numbers, and nothing that a client or member has sent. */
export type Facts = Readonly<Record<string, string | number>>;

/** A recorded piece of work, which can begin its own parts. */
export type Span = {
  begin(name: string, facts: Facts): Span;
  /** Ends the span. `failure` names what went wrong. */
  end(outcome?: { name?: string; facts?: Facts; failure?: string | undefined }): void;
};

const current = new AsyncLocalStorage<Span>();

/** Does work within a span. Spans that it begins become parts of it. */
export const within = <Result>(span: Span, work: () => Result): Result => current.run(span, work);

/** The span that the current code runs in, if it is recorded. */
export const currentSpan = (): Span | undefined => current.getStore();

/** Does work in a separate span, if it runs within a recorded one. */
export async function inSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const whole = currentSpan();
  if (!whole) return work();
  const span = whole.begin(name, {});
  try {
    const result = await within(span, work);
    span.end();
    return result;
  } catch (error) {
    const isRefusal = error instanceof AppError && error.status < 500;
    span.end(isRefusal ? { facts: { "error.type": error.code } } : { failure: nameFailure(error) });
    throw error;
  }
}

/** Returns the code or class of an error. Its message might quote what a client has sent. */
export function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
