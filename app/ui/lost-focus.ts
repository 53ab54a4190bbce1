import { useEffect, useRef } from "react";

/** What has the focus, or had it until it went, and all that it stood in. */
let held: (EventTarget | null)[] = [];

if (!import.meta.env.SSR) {
  addEventListener("focusin", (event) => (held = event.composedPath()));
  addEventListener("focusout", ({ target }) => {
    // What goes is told of while it is there still. Left by the reader it stays, and is not the document's any more, as
    // it is while another window has the keyboard, such as a wallet's.
    queueMicrotask(() => {
      if (target === held[0] && canHold(target) && document.activeElement !== target) held = [];
    });
  });
}

const canHold = (target: EventTarget | null | undefined) =>
  target instanceof Element && !target.matches(":disabled") && target.checkVisibility({ visibilityProperty: true });

/** A place that has taken the focus until there are words for it, which may come a moment later. */
let stopgap: Element | null = null;

/**
 * For an element that says how something went. It takes the focus when the button that was pressed, and had the focus,
 * has gone from the page, so that the next Tab goes on from there. It looks whenever `said` changes; at first, if
 * `said` is not what was `known`. A place, such as a card's title, takes the focus where no words follow. The sidebar,
 * the page and the pages of a list take only a focus that was lost within them.
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
    // Words can be focused only where that is said; links and buttons stay in the order of Tab.
    if (words.tabIndex < 0) words.tabIndex = -1;
    words.focus({ preventScroll: isPlace });
    stopgap = isPlace ? words : null;
  }, [said, isPlace]);
  return ref;
}

/** For something that covers the page, and goes away with the button that was pressed in it. */
export const focusPage = () => document.getElementById("main")?.focus({ preventScroll: true });
