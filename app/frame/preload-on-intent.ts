import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRead } from "../cache/query-provider.tsx";
import type { AnyRead } from "../cache/query-client.ts";
import { dashboardReads } from "../dashboard/reads.ts";
import { readDashboardView } from "../points/log-view.ts";
import type { Read } from "../cache/read.ts";

/** What a page reads, by its path. The router preloads a page's code on intent; this preloads its data. */
const READS = new Map<string, (read: Read, url: URL) => Pick<AnyRead, "queryKey">[]>([
  ["/dashboard", (read, { searchParams }) => dashboardReads(read, readDashboardView(searchParams).view)],
]);

/** A pointer that crosses a link on its way elsewhere means nothing; in milliseconds. */
const HESITATION_MS = 100;

/** Reads what the page behind a link needs as soon as the pointer rests on the link or the keyboard reaches it. */
export function usePreloadOnIntent(): void {
  const client = useQueryClient();
  const read = useRead();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const consider = ({ target }: Event) => {
      clearTimeout(timer);
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
      if (link) timer = setTimeout(() => preload(client, read, new URL(link.href)), HESITATION_MS);
    };
    // Who has clicked has decided: the navigation reads for itself.
    const leave = () => clearTimeout(timer);
    addEventListener("pointerover", consider);
    addEventListener("focusin", consider);
    addEventListener("click", leave);
    return () => {
      leave();
      removeEventListener("pointerover", consider);
      removeEventListener("focusin", consider);
      removeEventListener("click", leave);
    };
  }, [client, read]);
}

function preload(client: QueryClient, read: Read, url: URL) {
  const listReads = url.origin === location.origin ? READS.get(url.pathname) : undefined;
  // A read that fails here is read again, and told of, by the page itself: who clicks meanwhile waits for one attempt.
  for (const options of listReads?.(read, url) ?? []) client.query({ ...options, retry: false }).catch(() => undefined);
}
