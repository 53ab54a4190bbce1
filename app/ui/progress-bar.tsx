import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useSlowNavigation } from "./slow-navigation.ts";

/**
 * A thin line at the top while a page is long on its way. For who listens, a word then, and the title of the page that
 * came.
 */
export function ProgressBar() {
  const slow = useSlowNavigation();
  const arrived = useArrival();
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

/** The title of the page that took another's place. Of a new document the browser tells itself. */
function useArrival(): string {
  const { pathname } = useLocation();
  const first = useRef(pathname);
  const [arrived, setArrived] = useState("");
  useEffect(() => {
    if (first.current !== pathname) setArrived(document.title);
    first.current = "";
  }, [pathname]);
  return arrived;
}
