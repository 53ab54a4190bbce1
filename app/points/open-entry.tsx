import { createElement, lazy, Suspense } from "react";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { useHydrated } from "remix-utils/use-hydrated";
import { MissingPart } from "../ui/data-card.tsx";
import { Guard } from "../ui/guard.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { getEntryPanel, loadEntryPanel } from "./load-entry-panel.ts";
import { pointsLogDetailQuery } from "./reads.ts";

const LazyPanel = lazy(loadEntryPanel);

/**
 * Explains a row of the points log, which is read when the row is opened. The guard is for code that cannot be loaded:
 * the panel guards its own data.
 */
export function OpenEntry({ id }: { id: string }) {
  const { data, isFetching } = useQuery(pointsLogDetailQuery(useRead(), { id }));
  return (
    <Guard data={data} fallback={<Missing isFetching={isFetching} />}>
      {(detail) => (
        <Suspense fallback={<Outline />}>{createElement(getEntryPanel() ?? LazyPanel, { detail })}</Suspense>
      )}
    </Guard>
  );
}

if (!import.meta.env.SSR) addEventListener("keydown", closeByEscape);

/**
 * Closes the open entry by clicking the link that closes it, which then has the focus. Anything open above the page
 * closes first.
 */
function closeByEscape({ key }: KeyboardEvent) {
  if (key !== "Escape" || document.querySelector("dialog[open], :popover-open")) return;
  const link = document.querySelector<HTMLElement>("[aria-controls^=why-]");
  link?.focus();
  link?.click();
}

/** Shows an outline while the entry is being read. Without a script, nothing is read any more. */
function Missing({ isFetching }: { isFetching: boolean }) {
  return useHydrated() && isFetching ? <Outline /> : <MissingPart />;
}

/** As high as the panel that replaces it. */
const Outline = () => (
  <div className="grid h-37 content-start gap-3.5 pt-1">
    {["w-2/3", "w-1/2", "w-3/4", "w-1/3"].map((width) => (
      <Skeleton key={width} className={width} />
    ))}
  </div>
);
