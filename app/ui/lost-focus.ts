import { useEffect, useRef } from "react";

/**
 * For what says how something went: takes the focus when the button that was pressed for it has gone with it, so that the
 * next Tab goes on from there.
 */
export function useLostFocus<T extends HTMLElement>(said: unknown) {
  const words = useRef<T>(null);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (said && isLost) words.current?.focus();
  }, [said]);
  return words;
}
