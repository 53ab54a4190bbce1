import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "../errors.ts";

/** What is said of a piece of work: names and numbers of ours, and nothing that a client or a member has sent. */
export type Facts = Readonly<Record<string, string | number>>;

/** A piece of work that is written down. It knows how to begin one that is part of it. */
export type Span = {
  begin(name: string, facts: Facts): Span;
  /** Ends it; with `failure`, the name of what went wrong. */
  end(outcome?: { name?: string; facts?: Facts; failure?: string | undefined }): void;
};

const current = new AsyncLocalStorage<Span>();

/** Does work as part of a span: what it begins is part of it too. */
export const within = <Result>(span: Span, work: () => Result): Result => current.run(span, work);

/** What the current code is part of, if that is written down. */
export const currentSpan = (): Span | undefined => current.getStore();

/** Does work as a part of what is written down. */
export async function inSpan<Result>(name: string, facts: Facts, work: () => Promise<Result>): Promise<Result> {
  const whole = currentSpan();
  if (!whole) return work();
  const span = whole.begin(name, facts);
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

/** The code or the class of an error: its message may quote what was sent. */
export function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
