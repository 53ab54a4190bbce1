import { readConnection } from "../cache/connection.ts";
import { holdForm } from "./hold-forms.ts";

/** What was meant to leave the page, and had to stay: on which page. */
export type Stayed = { by: "link" | "form"; on: string };

/** The pages that were shown since the document began: their code is here, and what is fresh of them can be shown. */
const seen = new Set<string>();

/** What makes the router load a page's code ahead; it loads the document again where that fails. */
const INTENTS = ["mouseover", "mouseout", "focusin", "touchstart"];

/**
 * While no answers come, links to pages that were not shown yet and forms that send something do nothing: the router
 * would give up the page for one that cannot be had, and a form with all that was typed. Calls back with what had to
 * stay. Returns what ends it.
 */
export function stayWhileOffline(pathname: string, onStay: (stayed: Stayed) => void): () => void {
  seen.add(pathname);
  const follow = (event: Event) => {
    if (!isInVain(event)) return;
    stop(event);
    onStay({ by: "link", on: pathname });
  };
  const say = () => onStay({ by: "form", on: pathname });
  const send = (event: SubmitEvent) => {
    if (!needsServer(event.target)) return;
    if (readConnection() !== "online") say();
    else if (!holdForm(event, say)) return;
    stop(event);
  };
  const listening = new AbortController();
  // Before React's own listeners.
  const options = { capture: true, signal: listening.signal };
  addEventListener("click", follow, options);
  addEventListener("submit", send, options);
  for (const type of INTENTS) addEventListener(type, ignore, options);
  return () => listening.abort();
}

function stop(event: Event) {
  event.preventDefault();
  event.stopPropagation();
}

function ignore(event: Event) {
  if (isInVain(event)) event.stopPropagation();
}

function isInVain(event: Event): boolean {
  if (readConnection() === "online") return false;
  // The pointer enters what it comes to when it leaves what it was on.
  const to = event instanceof MouseEvent && event.type === "mouseout" ? event.relatedTarget : event.target;
  const link = to instanceof Element && to.closest("a");
  return link instanceof HTMLAnchorElement && link.origin === location.origin && !seen.has(link.pathname);
}

/** Forms that change how the shell looks, and those that close a dialog, do so in the browser. */
const needsServer = (target: unknown) =>
  target instanceof HTMLFormElement && target.method === "post" && !target.action.includes("/shell/");
