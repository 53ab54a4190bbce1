import type { PoolClient } from "pg";
import { currentSpan, nameFailure } from "../tracing/spans.ts";

type Query = (...input: unknown[]) => unknown;

/** Records each statement of a connection as a span of the current trace, by its name and without its contents. */
export function traceQueries(client: PoolClient): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of pg's eight overloads is passed on as it is
  const query = client.query.bind(client) as Query;
  const traced: Query = (...input) => {
    const whole = currentSpan();
    if (!whole) return query(...input);
    const span = whole.begin(nameStatement(input[0]), { "db.system.name": "postgresql" });
    const end = (error?: unknown) => span.end({ failure: error ? nameFailure(error) : undefined });
    const callback = input.at(-1);
    if (typeof callback === "function") {
      return query(...input.slice(0, -1), (error: unknown, result: unknown) => {
        end(error);
        callback(error, result);
      });
    }
    const answer = query(...input);
    if (answer instanceof Promise) answer.then(() => end(), end);
    else end();
    return answer;
  };
  Object.assign(client, { query: traced });
}

/**
 * Returns a name such as `select users`: the verb and the first table. It contains letters and underscores only, so no
 * values.
 */
function nameStatement(statement: unknown): string {
  const text = typeof statement === "string" ? statement : readText(statement);
  const [verb = "query"] = /[a-z]+/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update|join)\s+"?([a-z_]+)/i.exec(text) ?? [];
  return [verb.toLowerCase(), table].filter(Boolean).join(" ");
}

const readText = (statement: unknown) =>
  typeof statement === "object" && statement !== null && "text" in statement ? String(statement.text) : "";
