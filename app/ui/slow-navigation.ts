import { useEffect, useState } from "react";
import { useNavigation } from "react-router";

/** How long a page may take before the interface shows that it is loading, in milliseconds. */
const PATIENCE_MS = 200;

/** Returns whether a navigation or the response to a form has taken longer than `patience` milliseconds. */
export function useSlowNavigation(patience = PATIENCE_MS): boolean {
  const isUnderWay = useNavigation().state !== "idle";
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setTimeout(() => setSlow(true), patience);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isUnderWay, patience]);
  return isUnderWay && slow;
}
