import { QueryClient, type Query, type QueryKey } from "@tanstack/react-query";
import type { Change } from "./changes.ts";
import { ApiError } from "../api/api-error.ts";
import { CACHE_DEFAULTS } from "./cache-times.ts";
import { isStaleAfter, type Read } from "./read.ts";

/** Creates a query cache with the specification's defaults. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: CACHE_DEFAULTS });
}

let browserClient: QueryClient | undefined;

/** Returns the browser's only query cache, which lives as long as the document. Never call it on the server. */
export function getBrowserQueryClient(): QueryClient {
  browserClient ??= createQueryClient();
  return browserClient;
}

/** Returns whether no response came at all. */
const isUnanswered = (error: unknown) => error instanceof ApiError && error.code === "NETWORK_ERROR";

/**
 * Reads again what the page shows and has no response for. This includes reads in progress, whose response may never
 * come.
 */
export const refetchFailed = (client: QueryClient): Promise<void> => refetchShown(client, isWorthRepeating);

const isWorthRepeating = ({ state }: Query) => state.fetchStatus === "fetching" || isUnanswered(state.error);

/** Reads again what the page shows. Cancels a first read in progress, because the new one would join it. */
function refetchShown(client: QueryClient, predicate: Which): Promise<void> {
  const shown = { type: "active", predicate } as const;
  void client.cancelQueries(shown, { silent: true, revert: false });
  return client.refetchQueries(shown);
}

type Which = (query: Query) => boolean;

/** Marks what was read before these changes as stale, and reads again what is shown. */
export const refreshReads = (client: QueryClient, ...changes: Change[]): Promise<void> =>
  refetchShown(client, invalidateReads(client, changes));

/**
 * Runs an action in the browser that may cause these changes. Marks what they affect as stale, even if the action
 * fails.
 */
export async function changeReads<Result>(changes: Change[], act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } finally {
    invalidateReads(getBrowserQueryClient(), changes);
  }
}

/** Marks what these changes affect as stale. Returns a predicate for those reads. */
function invalidateReads(client: QueryClient, changes: Change[]): Which {
  const predicate: Which = ({ queryKey }) => isStaleAfter(changes, queryKey);
  // A prefetch in progress started before the changes, and would count as fresh once it arrives.
  client.removeQueries({ predicate, type: "inactive", fetchStatus: "fetching" });
  void client.invalidateQueries({ predicate, refetchType: "none" });
  return predicate;
}

/** The options that all reads have in common. */
export type AnyRead = { queryKey: QueryKey; staleTime?: unknown };

/** Returns whether the cache has all of these reads, and they are still fresh. */
export function areFresh(client: QueryClient, list: (read: Read) => AnyRead[]): boolean {
  return list(readNothing).every((options) => isFresh(client, options));
}

/** Returns the same after waiting for reads in progress, so that the caller joins them instead of asking again. */
export async function areFreshOnceSettled(client: QueryClient, list: (read: Read) => AnyRead[]): Promise<boolean> {
  const missing = list(readNothing).filter((options) => !isFresh(client, options));
  const onTheWay = missing.flatMap(({ queryKey }) => findOnTheWay(client, queryKey) ?? []);
  if (onTheWay.length < missing.length) return false;
  await Promise.allSettled(onTheWay);
  return areFresh(client, list);
}

function isFresh(client: QueryClient, { queryKey, staleTime }: AnyRead): boolean {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  return query?.state.status === "success" && !query.isStaleByTime(staleTimeOf(staleTime));
}

/**
 * Finds the promise of a read in progress. Skips reads that wait for a connection or a retry, and invalidated ones,
 * which may have started before the change.
 */
function findOnTheWay(client: QueryClient, queryKey: QueryKey): Promise<unknown> | undefined {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (!query || query.state.fetchStatus !== "fetching") return undefined;
  return query.state.isInvalidated || query.state.fetchFailureCount > 0 ? undefined : query.promise;
}

/** For functions that use only the keys and cache times. */
const readNothing: Read = ({ path }) => Promise.reject(new Error(`${path} was not meant to be read`));

const staleTimeOf = (staleTime: unknown) =>
  typeof staleTime === "number" ? staleTime : CACHE_DEFAULTS.queries.staleTime;
