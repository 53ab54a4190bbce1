import type { ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import type { PageDescription } from "../page/page-description.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSlowNavigation } from "../ui/slow-navigation.ts";
import { findPage } from "./navigation.ts";

/** How long to keep the current page, under the line at the top, before an outline replaces it, in milliseconds. */
const OUTLINE_MS = 500;

/** Returns the page whose outline is shown because its reads take long. */
function useOutlinedPage(): PageDescription | undefined {
  const slow = useSlowNavigation(OUTLINE_MS);
  const { state, location } = useNavigation();
  const { pathname } = useLocation();
  if (!slow || state !== "loading" || location.pathname === pathname) return undefined;
  const page = findPage(location.pathname);
  return page?.outline && page;
}

/** Returns the page that is shown or outlined. */
export function useShownPage(): PageDescription | undefined {
  const { pathname } = useLocation();
  return useOutlinedPage() ?? findPage(pathname);
}

/**
 * Shows the page, or the outline of the one that is loading. Meanwhile the page keeps its space, so that going back
 * restores the scroll position. It also keeps its content, in case the other page does not load.
 */
export function OutlinedPage({ children }: { children: ReactNode }) {
  const { outline: rows, hasContents = false } = useOutlinedPage() ?? {};
  return (
    <>
      {rows && <Outline rows={rows} hasContents={hasContents} />}
      <div className={rows ? "invisible" : "contents"}>{children}</div>
    </>
  );
}

/** Stands where the page will begin, however far this one is scrolled. */
function Outline({ rows, hasContents }: { rows: string[][][]; hasContents: boolean }) {
  return (
    <div aria-hidden data-outline className="sticky top-21.5 h-0">
      <div className={`grid gap-4.5 ${hasContents ? "@4xl/page:pe-52" : ""}`}>
        {rows.map((columns, row) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          <div key={row} className={`grid gap-4.5 ${columns.length > 1 ? "@4xl/page:grid-cols-[1.9fr_1fr]" : ""}`}>
            {columns.map((heights, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- as above
              <div key={column} className="grid content-start gap-4.5">
                {heights.map((height) => (
                  <OutlinedCard key={height} height={height} />
                ))}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function OutlinedCard({ height }: { height: string }) {
  return (
    <div className={`grid content-start gap-3 px-4.5 py-4 card ${height}`}>
      <Skeleton className="w-32" />
      <Skeleton className="h-7 w-52 max-w-full" />
      <Skeleton className="w-24" />
    </div>
  );
}
