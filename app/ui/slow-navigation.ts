import { useEffect, useState } from "react";
import { useNavigation } from "react-router";

/** Quicker pages show no sign of waiting; in milliseconds. */
const PATIENCE_MS = 200;

/** Whether a page or the answer to a form has been on its way for longer than that, or than `patience` milliseconds. */
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
