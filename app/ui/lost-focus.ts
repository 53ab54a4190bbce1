import { useEffect, useRef } from "react";

/** The element that has the focus, or had it until it was removed, and all its ancestors. */
let held: (EventTarget | null)[] = [];

if (!import.meta.env.SSR) {
  addEventListener("focusin", (event) => (held = event.composedPath()));
  addEventListener("focusout", ({ target }) => {
    // An element that is being removed is still there when the event fires, so look afterwards. One that remains, and
    // is no longer active, was left by the reader. It stays active while another window, such as a wallet's, has the
    // keyboard.
    queueMicrotask(() => {
      if (target === held[0] && canHold(target) && document.activeElement !== target) held = [];
    });
  });
}

const canHold = (target: EventTarget | null | undefined) =>
  target instanceof Element && !target.matches(":disabled") && target.checkVisibility({ visibilityProperty: true });

/** The place that holds the focus until a message appears, which may be a moment later. */
let stopgap: Element | null = null;

/**
 * For an element that reports how something went. It takes the focus if the button that was pressed has gone from the
 * page, so that the next Tab continues from there. Checks whenever `said` changes, and on mount if `said` differs from
 * `known`. A place, such as a card's title, takes the focus if no message follows. An element in the sidebar, the page
 * or the pager of a list takes only a focus that was lost within the same region.
 */
export function useLostFocus<T extends HTMLElement>(said: unknown, isPlace = false, known?: unknown) {
  const ref = useRef<T>(null);
  const last = useRef(known);
  useEffect(() => {
    if (said === last.current) return;
    last.current = said;
    const words = ref.current;
    const { activeElement, body } = document;
    const isFree = activeElement === body || !canHold(held[0]) || (!isPlace && activeElement === stopgap);
    if (!said || !words || !isFree || !held.includes(words.closest("nav,aside,main,html"))) return;
    // Text can take the focus only with a `tabIndex`. Links and buttons keep their place in the Tab order.
    if (words.tabIndex < 0) words.tabIndex = -1;
    words.focus({ preventScroll: isPlace });
    stopgap = isPlace ? words : null;
  }, [said, isPlace]);
  return ref;
}

/** Focuses the page. For something that covers the page and goes with the button that was pressed in it. */
export const focusPage = () => document.getElementById("main")?.focus({ preventScroll: true });
