import { useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, type ReactNode } from "react";
import { toBrowserTime } from "../ui/clock.ts";

/**
 * What a loader has read for its page, on its way to the browser's query cache: each read's key and data, and when they
 * were read by the server's clock, in milliseconds. Takes a tenth of the space of React Query's own format.
 */
export type DehydratedReads = { at: number; reads: [key: QueryKey, data: unknown][] };

/**
 * Passes on what was read for a page. In the browser it goes into the query cache, unless the cache has something
 * newer. Data that the cache does not have is there before the page renders. Data that it has may be on display, so it
 * changes only once the page is there: a navigation that is abandoned changes nothing. React Query's own boundary does
 * the same for more formats, with 1 kB more code.
 */
export const HydrateReads = import.meta.env.SSR ? HydrateOnServer : HydrateInBrowser;

type HydrateReadsProps = { carried: DehydratedReads | null; children: ReactNode };

const DehydratedContext = createContext<ReadonlyMap<string, unknown>>(new Map());

/** Returns what the loaders have read for this key, or undefined if there is nothing. */
export const useDehydrated = (key: QueryKey): unknown => use(DehydratedContext).get(JSON.stringify(key));

function HydrateOnServer({ carried, children }: HydrateReadsProps) {
  const known = new Map(use(DehydratedContext));
  for (const [key, data] of carried?.reads ?? []) known.set(JSON.stringify(key), data);
  // oxlint-disable-next-line react/jsx-no-constructed-context-values -- the server renders it once
  return <DehydratedContext value={known}>{children}</DehydratedContext>;
}

function HydrateInBrowser({ carried, children }: HydrateReadsProps) {
  const client = useQueryClient();
  const updates = useMemo(() => (carried ? putReads(client, carried) : []), [client, carried]);
  useEffect(() => {
    for (const update of updates) update();
  }, [updates]);
  return children;
}

/** When the latest news came, by this browser's clock, in milliseconds. */
let newsAt = -Infinity;

/** Notes that something has changed. Data for a page that is on its way may have been read before that. */
export const noteNews = (): void => void (newsAt = Date.now());

function putReads(client: QueryClient, { at, reads }: DehydratedReads): (() => void)[] {
  const cache = client.getQueryCache();
  // The cache keeps times by the browser's clock.
  const dataUpdatedAt = toBrowserTime(at);
  return reads.flatMap(([queryKey, data]) => {
    const state = { ...SUCCESS, data, dataUpdatedAt };
    const known = cache.find({ queryKey, exact: true });
    // Compared later, because newer data may have come by then. A failed prefetch has no data.
    if (known?.state.data !== undefined)
      return [() => dataUpdatedAt > known.state.dataUpdatedAt && known.setState(state)];
    // Data from before the latest news is shown, and read again as soon as it is.
    const isInvalidated = dataUpdatedAt < newsAt;
    cache.build(client, client.defaultQueryOptions({ queryKey })).setState({ ...state, isInvalidated });
    return [];
  });
}

const SUCCESS = {
  status: "success",
  dataUpdateCount: 1,
  error: null,
  errorUpdateCount: 0,
  errorUpdatedAt: 0,
  fetchFailureCount: 0,
  fetchFailureReason: null,
  fetchMeta: null,
  isInvalidated: false,
} as const;
