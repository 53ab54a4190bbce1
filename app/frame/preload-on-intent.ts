import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRead } from "../cache/query-provider.tsx";
import type { Read } from "../cache/read.ts";
import { findPage } from "./navigation.ts";

/** A pointer that crosses a link on its way elsewhere means nothing; in milliseconds. */
const HESITATION_MS = 100;

/**
 * Reads what the page behind a link needs as soon as the pointer rests on the link or the keyboard reaches it. The router
 * preloads the code of pages; this preloads their data.
 */
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
  const page = url.origin === location.origin ? findPage(url.pathname) : undefined;
  if (page?.audience !== "member") return;
  // A read that fails here is read again, and told of, by the page itself: who clicks meanwhile waits for one attempt.
  for (const options of page.reads(read, url.searchParams))
    client.query({ ...options, retry: false }).catch(() => undefined);
}
