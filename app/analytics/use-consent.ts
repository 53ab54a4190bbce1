import { useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import { expiredCookie, storeCookie } from "../cookies/plain-cookie.ts";
import { openTopic } from "../session/tabs.ts";
import type { MeasuringData } from "./analytics.tsx";
import { consentCookie, readConsent, type Consent } from "./consent.ts";
import { NO_UTM } from "./utm.ts";

const CHANGED = "consentchange";

/** Tells other tabs that the choice in their cookie has changed. */
const tabs = openTopic("consent", (value): value is typeof CHANGED => value === CHANGED);

/** Returns what the document says about measuring, or null if nothing is configured. */
export const useMeasuring = () => useRouteLoaderData<{ measuring: MeasuringData }>("root")?.measuring ?? null;

/** Returns the user's current choice: first as the server knows it, then from the cookie. */
export function useConsent(): Consent {
  const rendered = useMeasuring()?.consent;
  return useSyncExternalStore(
    subscribe,
    () => readConsent(document.cookie),
    () => rendered,
  );
}

function subscribe(onChange: () => void) {
  addEventListener(CHANGED, onChange);
  const end = tabs.follow(onChange);
  return () => {
    removeEventListener(CHANGED, onChange);
    end();
  };
}

/**
 * Keeps a choice. Withdrawing consent reloads the document, because a tag manager that is loaded cannot be unloaded.
 * Other tabs only stop measuring: a reload would lose what has been typed there.
 */
export function saveConsent(choice: NonNullable<Consent>): void {
  const before = readConsent(document.cookie);
  storeCookie(consentCookie(choice));
  if (choice === "denied") {
    storeCookie(NO_UTM);
    for (const name of findTheirCookies(document.cookie)) {
      // They are set for the host or for a domain above it, and the page cannot see which.
      storeCookie(expiredCookie(name));
      for (const domain of listDomains(location.hostname)) storeCookie(`${expiredCookie(name)}; Domain=${domain}`);
    }
  }
  tabs.broadcast(CHANGED);
  if (before === "granted" && choice === "denied") location.reload();
  else dispatchEvent(new Event(CHANGED));
}

/** Finds the names of the cookies that Google's tags set. */
const findTheirCookies = (cookies: string) =>
  cookies.split(/;\s*/).flatMap((pair) => /^(?:_ga|_gid|_gat|_gcl)[^=]*/.exec(pair)?.[0] ?? []);

/** Returns a host and the domains above it. The browser ignores those that may have no cookies. */
const listDomains = (host: string) => {
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
};
