import { useEffect, useState } from "react";
import { useNavigation } from "react-router";

/** Quicker pages show no sign of waiting; in milliseconds. */
const PATIENCE_MS = 200;

/** Whether a page or the answer to a form has been on its way for more than 200 ms. */
export function useSlowNavigation(): boolean {
  const isUnderWay = useNavigation().state !== "idle";
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isUnderWay]);
  return isUnderWay && slow;
}
