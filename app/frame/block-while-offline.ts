import { readConnection } from "../cache/connection.ts";
import { NEW_DOCUMENT } from "../ui/link.tsx";
import { deferSubmission, isInFlight, setSubmitting } from "./defer-submission.ts";

/** What could not leave the page, and which page that was. */
export type BlockedAction = { by: "link" | "form"; on: string };

/** The pages shown since the document loaded. Their code is here, and their data can be shown while it is fresh. */
const seen = new Set<string>();

/**
 * Stops links to pages that were not shown yet, and forms that send something, while the server cannot be reached. The
 * router would replace the page, with all that was typed, by one that cannot be loaded. Calls `onBlocked` with what was
 * stopped. Returns a function that ends this.
 */
export function blockWhileOffline(pathname: string, onBlocked: (stayed: BlockedAction) => void): () => void {
  seen.add(pathname);
  const follow = (event: Event) => {
    if (!isInVain(event)) return;
    stop(event);
    onBlocked({ by: "link", on: pathname });
  };
  const block = () => onBlocked({ by: "form", on: pathname });
  const send = (event: SubmitEvent) => {
    const form = event.target;
    if (!needsServer(form)) return;
    // A second press changes nothing.
    if (isInFlight(form) || deferSubmission(form, event.submitter, block)) stop(event);
  };
  const listening = new AbortController();
  // Runs before React's own listeners.
  const options = { capture: true, signal: listening.signal };
  addEventListener("click", follow, options);
  addEventListener("submit", send, options);
  // A page that is restored as it was left (bfcache) waits for nothing.
  addEventListener("pageshow", () => setSubmitting(false), options);
  return () => listening.abort();
}

function stop(event: Event) {
  event.preventDefault();
  event.stopPropagation();
}

function isInVain({ target }: Event): boolean {
  if (readConnection() === "online") return false;
  const link = target instanceof Element && target.closest("a");
  return link instanceof HTMLAnchorElement && link.origin === location.origin && !isHere(link);
}

/** Returns whether a link works without the server: it leads to a page that was shown, and not to a new document. */
const isHere = ({ dataset, pathname }: HTMLAnchorElement) =>
  seen.has(pathname) && !dataset.follow?.includes(NEW_DOCUMENT);

/**
 * Returns whether a form needs the server. Forms that change how the shell looks, put a question off or close a dialog
 * work in the browser.
 */
const needsServer = (target: unknown): target is HTMLFormElement =>
  target instanceof HTMLFormElement && target.method === "post" && !/\/(shell\/|skip$)/.test(target.action);
