import { readConnection } from "../cache/connection.ts";
import { NEW_DOCUMENT } from "../ui/link.tsx";
import { holdForm, isOnItsWay, noteSending } from "./hold-forms.ts";

/** What was meant to leave the page, and had to stay: on which page. */
export type Stayed = { by: "link" | "form"; on: string };

/** The pages that were shown since the document began: their code is here, and what is fresh of them can be shown. */
const seen = new Set<string>();

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
    const form = event.target;
    if (!needsServer(form)) return;
    // A second press adds nothing.
    if (!isOnItsWay(form)) {
      if (readConnection() !== "online") say();
      else if (!holdForm(form, event.submitter, say)) return;
    }
    stop(event);
  };
  const listening = new AbortController();
  // Before React's own listeners.
  const options = { capture: true, signal: listening.signal };
  addEventListener("click", follow, options);
  addEventListener("submit", send, options);
  // A page that is shown again as it was left (bfcache) waits for nothing.
  addEventListener("pageshow", () => noteSending(false), options);
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

/** Whether a link can be followed without the server: to a page that was shown, and not to a new document of it. */
const isHere = ({ dataset, pathname }: HTMLAnchorElement) =>
  seen.has(pathname) && !dataset.follow?.includes(NEW_DOCUMENT);

/** Forms that change how the shell looks, put a question off or close a dialog do so in the browser. */
const needsServer = (target: unknown): target is HTMLFormElement =>
  target instanceof HTMLFormElement && target.method === "post" && !/\/(shell\/|skip$)/.test(target.action);
