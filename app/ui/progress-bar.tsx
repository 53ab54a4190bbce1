import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useSlowNavigation } from "./slow-navigation.ts";

/**
 * A thin line at the top while a page is long on its way. For who listens, a word then, and what came.
 */
export function ProgressBar() {
  const slow = useSlowNavigation();
  const arrived = useArrival(slow);
  return (
    // There before it has anything to say, so that what it says is read out.
    <output>
      <span className="sr-only">{slow ? "Loading the page" : arrived}</span>
      {slow && (
        <span aria-hidden className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
          <span className="progress-line" />
        </span>
      )}
    </output>
  );
}

/** What is shown of a page's list, below it or in its place. */
const SHOWN = ".card>nav>.num,.card>.empty>h3";

/**
 * The title of the page that took another's place, or which part of its list another address of the same page shows.
 * What the list gains is not read out by itself, nor what a new document begins with: the browser tells that.
 */
function useArrival(slow: boolean): string {
  const { pathname, search } = useLocation();
  const last = useRef<{ pathname: string; shown?: string }>({ pathname });
  const [arrived, setArrived] = useState("");
  // What was said before is not said again after a wait.
  if (slow && arrived !== "") setArrived("");
  useEffect(() => {
    const before = last.current;
    const shown = document.querySelector(SHOWN)?.textContent ?? "";
    last.current = { pathname, shown };
    if (before.pathname !== pathname) setArrived(document.title);
    else if ((before.shown ?? shown) !== shown) setArrived(shown);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- by another address another part of the list shows
  }, [pathname, search]);
  return arrived;
}
