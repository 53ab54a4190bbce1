import { useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, type ReactNode } from "react";
import { toOwnTime } from "../ui/clock.ts";

/**
 * What a loader has read for its page, on its way to the browser's query cache: each read's key and data, and when
 * they were read by the server's clock, in milliseconds. A tenth of what React Query's own form takes.
 */
export type CarriedReads = { at: number; reads: [key: QueryKey, data: unknown][] };

/**
 * Hands on what was read for a page. In the browser it goes into the query cache, where what is newer stays: what the
 * cache has no data of is there before the page renders. What it has is shown somewhere perhaps, and changes once the
 * page is there, so that a page that is given up on its way changes nothing. React Query's own boundary does the same,
 * for more forms of it, in 1 kB more.
 */
export const CarryReads = import.meta.env.SSR ? CarryOnServer : CarryInBrowser;

type CarryReadsProps = { carried: CarriedReads | null; children: ReactNode };

const CarriedContext = createContext<ReadonlyMap<string, unknown>>(new Map());

/** What the loaders have read by this key; undefined where it has not come. */
export const useCarried = (key: QueryKey): unknown => use(CarriedContext).get(JSON.stringify(key));

function CarryOnServer({ carried, children }: CarryReadsProps) {
  const known = new Map(use(CarriedContext));
  for (const [key, data] of carried?.reads ?? []) known.set(JSON.stringify(key), data);
  // oxlint-disable-next-line react/jsx-no-constructed-context-values -- on the server it is rendered once
  return <CarriedContext value={known}>{children}</CarriedContext>;
}

function CarryInBrowser({ carried, children }: CarryReadsProps) {
  const client = useQueryClient();
  const updates = useMemo(() => (carried ? putReads(client, carried) : []), [client, carried]);
  useEffect(() => {
    for (const update of updates) update();
  }, [updates]);
  return children;
}

/** When news came last, by this browser's clock, in milliseconds. */
let newsAt = -Infinity;

/** To be called with news of what has changed: a page that is on its way may have been read before that. */
export const noteNews = (): void => void (newsAt = Date.now());

function putReads(client: QueryClient, { at, reads }: CarriedReads): (() => void)[] {
  const cache = client.getQueryCache();
  // The cache keeps the browser's time of what the browser reads.
  const dataUpdatedAt = toOwnTime(at);
  return reads.flatMap(([queryKey, data]) => {
    const state = { ...SUCCESS, data, dataUpdatedAt };
    const known = cache.find({ queryKey, exact: true });
    // News may have come by then. What could not be read ahead has no data.
    if (known?.state.data !== undefined)
      return [() => dataUpdatedAt > known.state.dataUpdatedAt && known.setState(state)];
    // What was read before the last news is shown, and read again as soon as it is.
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
