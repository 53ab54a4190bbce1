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
 * it: without consent, Google's tags keep no cookies and send nothing that tells visitors apart.
 */
export function startTagManager(gtmId: string): () => void {
  const queue = (window.dataLayer ??= []);
  if (!document.querySelector("script[data-gtm]")) {
    queue.push({ "gtm.start": Date.now(), event: "gtm.js" });
    document.head.append(createScript(gtmId));
  } else {
    queue.push(updateConsent("granted"));
  }
  const stop = receiveEvents((event) => queue.push({ ...readUtm(document.cookie), ...event }));
  return () => {
    stop();
    queue.push(updateConsent("denied"));
  };
}

/** https://developers.google.com/tag-platform/security/guides/consent */
function updateConsent(choice: "granted" | "denied"): object {
  const purposes = { ad_personalization: choice, ad_storage: choice, ad_user_data: choice, analytics_storage: choice };
  return asArguments("consent", "update", purposes);
}

/** Returns its arguments as the object that Google's tags look for, which is not an array. */
const asArguments: (...entry: unknown[]) => object = function keep() {
  // oxlint-disable-next-line prefer-rest-params -- a rest parameter is an array
  return arguments;
};

/** Creates the script with the page's nonce, which the container passes on to the tags that it writes. */
function createScript(gtmId: string) {
  const script = document.createElement("script");
  script.async = true;
  script.nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
  script.dataset.gtm = "";
  script.src = `https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(gtmId)}`;
  return script;
}
