import { readConnection } from "../cache/connection.ts";

/** The pages that were shown since the document began: their code is here, and what is fresh of them can be shown. */
const seen = new Set<string>();

/** What makes the router load a page's code ahead; it loads the document again where that fails. */
const INTENTS = ["mouseover", "mouseout", "focusin", "touchstart"];

/**
 * While no answers come, links to pages that were not shown yet and forms that send something do nothing: the router
 * would give up the page for one that cannot be had, and a form with all that was typed. Calls back with the path each
 * time, and with null once answers may come again. Returns what ends it.
 */
export function stayWhileOffline(pathname: string, onStay: (pathname: string | null) => void): () => void {
  seen.add(pathname);
  const stay = (event: Event) => {
    if (!isInVain(event)) return;
    event.preventDefault();
    event.stopPropagation();
    onStay(pathname);
  };
  const forget = () => onStay(null);
  const listening = new AbortController();
  // Before React's own listeners.
  const options = { capture: true, signal: listening.signal };
  for (const type of ["click", "submit"]) addEventListener(type, stay, options);
  for (const type of INTENTS) addEventListener(type, ignore, options);
  addEventListener("online", forget, options);
  return () => listening.abort();
}

function ignore(event: Event) {
  if (isInVain(event)) event.stopPropagation();
}

function isInVain(event: Event): boolean {
  // A form is worth a try while the browser does not know better.
  if (event.type === "submit" ? navigator.onLine : readConnection() === "online") return false;
  // The pointer enters what it comes to when it leaves what it was on.
  const to = event instanceof MouseEvent && event.type === "mouseout" ? event.relatedTarget : event.target;
  return to instanceof Element && needsServer(to);
}

function needsServer(target: Element): boolean {
  // Forms that change how the shell looks, and those that close a dialog, do so in the browser.
  if (target instanceof HTMLFormElement) return target.method === "post" && !target.action.includes("/shell/");
  const link = target.closest("a");
  return Boolean(link?.href) && link?.origin === location.origin && !seen.has(link.pathname);
}
