import { QueryClient, type Query, type QueryKey } from "@tanstack/react-query";
import type { Change } from "./changes.ts";
import { ApiError } from "../api/api-error.ts";
import { CACHE_DEFAULTS } from "./cache-times.ts";
import { isStaleAfter, type Read } from "./read.ts";

/** A query cache with the specification's defaults. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: CACHE_DEFAULTS });
}

let browserClient: QueryClient | undefined;

/** The browser's one query cache: it lives as long as the document. Never call it on the server. */
export function getBrowserQueryClient(): QueryClient {
  browserClient ??= createQueryClient();
  return browserClient;
}

/** Whether no response came at all. */
const isUnanswered = (error: unknown) => error instanceof ApiError && error.code === "NETWORK_ERROR";

/** Reads again, for what is on the page, whatever was not answered, or not yet: its answer may never come. */
export const repeatUnanswered = (client: QueryClient): Promise<void> => readAgain(client, isWorthRepeating);

const isWorthRepeating = ({ state }: Query) => state.fetchStatus === "fetching" || isUnanswered(state.error);

/** Reads again what is on the page. A first reading that is on its way has to be given up: it would be joined. */
function readAgain(client: QueryClient, predicate: Which): Promise<void> {
  const shown = { type: "active", predicate } as const;
  void client.cancelQueries(shown, { silent: true, revert: false });
  return client.refetchQueries(shown);
}

type Which = (query: Query) => boolean;

/** What was read before these changes is stale: what is shown is read again. */
export const refreshReads = (client: QueryClient, ...changes: Change[]): Promise<void> =>
  readAgain(client, outdate(client, changes));

/**
 * Does what may bring these changes, in the browser: nothing that they make stale is fresh after it, also where it
 * failed.
 */
export async function changeReads<Result>(changes: Change[], act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } finally {
    outdate(getBrowserQueryClient(), changes);
  }
}

/** Makes stale what goes by these changes. Returns which reads do. */
function outdate(client: QueryClient, changes: Change[]): Which {
  const predicate: Which = ({ queryKey }) => isStaleAfter(changes, queryKey);
  // What is being read ahead was asked for before the changes, and would count as fresh once it comes.
  client.removeQueries({ predicate, type: "inactive", fetchStatus: "fetching" });
  void client.invalidateQueries({ predicate, refetchType: "none" });
  return predicate;
}

/** The options of any read, as far as different reads have something in common. */
export type AnyRead = { queryKey: QueryKey; staleTime?: unknown };

/** Whether every one of these reads is answered by the cache and still fresh. */
export function areFresh(client: QueryClient, list: (read: Read) => AnyRead[]): boolean {
  return list(readNothing).every((options) => isFresh(client, options));
}

/** The same once the reads that are on their way have come: who needs them joins in rather than asks again. */
export async function areFreshSoon(client: QueryClient, list: (read: Read) => AnyRead[]): Promise<boolean> {
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
 * A read that waits for a connection, or to be tried again, is none to wait for; one that something has changed may
 * have begun before it did.
 */
function findOnTheWay(client: QueryClient, queryKey: QueryKey): Promise<unknown> | undefined {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (!query || query.state.fetchStatus !== "fetching") return undefined;
  return query.state.isInvalidated || query.state.fetchFailureCount > 0 ? undefined : query.promise;
}

/** For where only keys and cache times count. */
const readNothing: Read = ({ path }) => Promise.reject(new Error(`${path} was not meant to be read`));

const staleTimeOf = (staleTime: unknown) =>
  typeof staleTime === "number" ? staleTime : CACHE_DEFAULTS.queries.staleTime;
