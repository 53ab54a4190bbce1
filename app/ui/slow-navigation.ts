import { useEffect, useState } from "react";
import { useNavigation } from "react-router";

/** How long a page may take before the interface shows that it is loading, in milliseconds. */
const DELAY_MS = 200;

/** Returns whether a navigation or the response to a form has taken longer than `delay` milliseconds. */
export function useSlowNavigation(delay = DELAY_MS): boolean {
  const isUnderWay = useNavigation().state !== "idle";
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setTimeout(() => setSlow(true), delay);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isUnderWay, delay]);
  return isUnderWay && slow;
}
