import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { EntryContext } from "react-router";
import { readConnection } from "../cache/connection.ts";
import { useRead } from "../cache/query-provider.tsx";
import type { PageDescription } from "../page/page-description.ts";
import type { PageRead } from "../page/page-reads.ts";
import { findPage } from "./navigation.ts";

declare global {
  interface Window {
    /** The router's list of routes, and of the files of each. */
    __reactRouterManifest?: EntryContext["manifest"];
  }
}

/** How long a pointer must rest on a link, in milliseconds. It may only cross the link on its way elsewhere. */
const HESITATION_MS = 100;

/**
 * Loads what the page behind a link needs, code and data, as soon as the pointer rests on it or the keyboard reaches
 * it. Does not call the server's loaders: no browser may keep their results, and a loader may have side effects.
 */
export function PreloadOnIntent() {
  const client = useQueryClient();
  const read = useRead();
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const consider = ({ target }: Event) => {
      clearTimeout(timer);
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
      const page = link?.origin === location.origin && findPage(link.pathname);
      if (!link || !page || (page.audience === "anyone" && !page.navigation)) return;
      timer = setTimeout(() => {
        // If a page's code cannot be loaded, the browser leaves for its document (server/vite/missing-code.ts).
        if (readConnection() !== "online") return;
        setFiles(listFiles(page));
        if (page.audience === "member") readAhead(client, page.reads(read, new URL(link.href).searchParams));
      }, HESITATION_MS);
    };
    // After a click, the navigation itself reads.
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
  return files.map((href) => <link key={href} rel="modulepreload" href={href} />);
}

/** Returns the files with the code of a page within the shell. */
function listFiles({ path }: PageDescription): string[] {
  const { __reactRouterManifest: manifest } = window;
  const route = manifest && Object.values(manifest.routes).find((each) => each?.path === path.slice(1));
  if (!route) return [];
  const { clientActionModule = [], clientLoaderModule = [], imports = [], module } = route;
  return [...new Set([module, clientActionModule, clientLoaderModule, imports].flat())];
}

/**
 * Reads without retries. If a read fails here, the page itself reads again and reports the failure. A reader who clicks
 * meanwhile waits for one attempt.
 */
function readAhead(client: QueryClient, reads: readonly PageRead[]) {
  for (const options of reads) client.query({ ...options, retry: false }).catch(() => undefined);
}
