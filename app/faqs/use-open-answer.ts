import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

/**
 * Opens the answer that the address names, on navigation within the product and where the browser has not opened it.
 * The focus moves to its question.
 */
export function useOpenAnswer() {
  const location = useLocation();
  // When a document loads, the browser itself moves the focus, and the reader may be elsewhere by now.
  const [beginning] = useState(useHydrated() ? null : location);

  useEffect(() => {
    const answer = document.getElementById(decodeSlug(location.hash));
    const question = answer?.closest("details");
    if (!answer || !question) return;
    if (location !== beginning) question.querySelector("summary")?.focus({ preventScroll: true });
    if (question.open) return;
    question.open = true;
    answer.scrollIntoView();
    // Each visit opens it, including a second one to the same address.
  }, [location, beginning]);
}

/** Decodes the slug in a hash. An invalid escape names no answer. */
function decodeSlug(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}
