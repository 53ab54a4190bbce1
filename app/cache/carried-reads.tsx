import { hashKey, HydrationBoundary, type DehydratedState, type QueryKey } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";

/**
 * What a loader has read for its page, on its way to the browser's query cache: each read's key and data, and when
 * they were read, in milliseconds. A tenth of what React Query's own form takes.
 */
export type CarriedReads = { at: number; reads: [key: QueryKey, data: unknown][] };

/** Puts what was read for a page into the query cache before the page renders; what the cache has newer stays. */
export function CarryReads({ carried, children }: { carried: CarriedReads | null; children: ReactNode }) {
  const state = useMemo(() => carried && unpack(carried), [carried]);
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}

function unpack({ at, reads }: CarriedReads): DehydratedState {
  const queries = reads.map(([queryKey, data]) => ({
    queryKey,
    queryHash: hashKey(queryKey),
    dehydratedAt: at,
    state: { ...SUCCESS, data, dataUpdatedAt: at },
  }));
  return { queries, mutations: [] };
}

const SUCCESS = {
  status: "success",
  fetchStatus: "idle",
  dataUpdateCount: 1,
  error: null,
  errorUpdateCount: 0,
  errorUpdatedAt: 0,
  fetchFailureCount: 0,
  fetchFailureReason: null,
  fetchMeta: null,
  isInvalidated: false,
} as const;
