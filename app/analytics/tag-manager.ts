import { receiveEvents } from "./events.ts";
import { readUtm } from "./utm.ts";

declare global {
  interface Window {
    /** The tag manager's queue. It exists only with consent. */
    dataLayer?: object[];
  }
}

/**
 * Loads the container and passes every event on to it, each with the session's campaign. Returns a function that stops
 * it.
 */
export function startTagManager(gtmId: string): () => void {
  const queue = (window.dataLayer ??= []);
  if (!document.querySelector("script[data-gtm]")) {
    queue.push({ "gtm.start": Date.now(), event: "gtm.js" });
    document.head.append(createScript(gtmId));
  }
  return receiveEvents((event) => queue.push({ ...readUtm(document.cookie), ...event }));
}

/** Creates the script with the page's nonce, which the container passes on to the tags that it writes. */
function createScript(gtmId: string) {
  const script = document.createElement("script");
  script.async = true;
  script.nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
  script.dataset.gtm = "";
  script.src = `https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(gtmId)}`;
  return script;
}
