import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useSlowNavigation } from "./slow-navigation.ts";

/**
 * A thin line at the top while a page takes long to load. Screen readers announce that it is loading, and then the
 * title of the page that has come.
 */
export function ProgressBar() {
  const slow = useSlowNavigation();
  const arrived = useArrival();
  return (
    // Rendered before it has any text, so that screen readers announce the text.
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

/** Returns the title of the page after a navigation. For a new document the browser announces the title itself. */
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
