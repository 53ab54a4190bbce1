import { useEffect } from "react";
import { useLocation } from "react-router";

/** Opens the answer that the address names: within the product, and where the browser has not done so by itself. */
export function useOpenAnswer() {
  const location = useLocation();

  useEffect(() => {
    const answer = document.getElementById(decodeSlug(location.hash));
    const question = answer?.closest("details");
    if (!answer || !question || question.open) return;
    question.open = true;
    answer.scrollIntoView();
    // Each visit opens it, also a second one to the same address.
  }, [location]);
}

/** A broken escape is no answer's name. */
function decodeSlug(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}
