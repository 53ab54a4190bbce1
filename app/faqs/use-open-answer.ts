import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

/**
 * Opens the answer that the address names: within the product, and where the browser has not done so by itself. Whoever
 * is led to it goes on from its question.
 */
export function useOpenAnswer() {
  const location = useLocation();
  // To where a document begins the browser leads the keyboard itself, and its reader may be elsewhere by now.
  const [beginning] = useState(useHydrated() ? null : location);

  useEffect(() => {
    const answer = document.getElementById(decodeSlug(location.hash));
    const question = answer?.closest("details");
    if (!answer || !question) return;
    if (location !== beginning) question.querySelector("summary")?.focus({ preventScroll: true });
    if (question.open) return;
    question.open = true;
    answer.scrollIntoView();
    // Each visit opens it, also a second one to the same address.
  }, [location, beginning]);
}

/** A broken escape is no answer's name. */
function decodeSlug(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}
