import type { Change } from "./changes.ts";
import type { CacheTimes } from "./cache-times.ts";
import type { ApiClient } from "../client/client.ts";

type NoQuery = Record<string, never>;

/** What to read, and how. Its path is the first part of its key, and its address at the read proxy. */
export type Definition<Query, Result> = {
  path: string;
  /** The query parameters that the read proxy passes on. */
  params: readonly string[];
  /** The API call behind it, on the server. */
  source: (api: ApiClient, query: Query) => Promise<Result>;
};

/** Reads for the signed-in member: through the client on the server, through the read proxy in the browser. */
export type Read = <Query extends object, Result>(
  definition: Definition<Query, Result>,
  query: Query,
  signal?: AbortSignal,
) => Promise<Result>;

type Rules<Query, Result> = Partial<CacheTimes> & {
  source: Definition<Query, Result>["source"];
  params?: readonly (keyof Query & string)[];
  /** The changes after which it has to be read again. */
  staleAfter?: readonly Change[];
  /** Returns what pages get instead of the response. */
  select?: (answer: Result) => Result;
};

const namesByChange = new Map<Change, Set<unknown>>();

/**
 * Defines a read: its request, its key, how long it is fresh and what makes it stale. The result creates React Query's
 * options, for loaders and for the browser: `statsQuery(read)`, or `pointsLogQuery(read, query)` if it takes a query.
 */
export function defineRead<Result, Query extends object = NoQuery>(
  path: string,
  { source, params = [], staleAfter = [], ...cache }: Rules<Query, Result>,
) {
  for (const change of staleAfter) {
    const names = namesByChange.get(change) ?? new Set();
    namesByChange.set(change, names.add(path));
  }
  const definition: Definition<Query, Result> = { path, params, source };
  return Object.assign(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a read without a query has no parameters
    (read: Read, ...[query = {} as Query]: NoQuery extends Query ? [] : [query: Query]) => ({
      queryKey: [path, query] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => read(definition, query, signal),
      ...cache,
    }),
    definition,
  );
}

/** Returns whether a read with this key is stale after one of these changes. */
export function isStaleAfter(changes: readonly Change[], [path]: readonly unknown[]): boolean {
  return changes.some((change) => namesByChange.get(change)?.has(path));
}
