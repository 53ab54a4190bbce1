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

/** The title of the page that took another's place; a new document the browser tells itself. */
function useArrival(slow: boolean): string {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  const [arrived, setArrived] = useState("");
  // What was said before is not said again after a wait.
  if (slow && arrived !== "") setArrived("");
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    setArrived(document.title);
  }, [pathname]);
  return arrived;
}
