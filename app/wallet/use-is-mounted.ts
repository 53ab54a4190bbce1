import { useLayoutEffect, useRef } from "react";

/** Returns a ref that says whether the dialog is still mounted, for what happens later. */
export function useIsMounted() {
  const isMounted = useRef(true);
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  return isMounted;
}
