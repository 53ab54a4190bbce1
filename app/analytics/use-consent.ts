import { useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import { expiredCookie, storeCookie } from "../cookies/plain-cookie.ts";
import type { MeasuringData } from "./analytics.tsx";
import { consentCookie, readConsent, type Consent } from "./consent.ts";
import { NO_UTM } from "./utm.ts";

const CHANGED = "consentchange";

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
  return () => removeEventListener(CHANGED, onChange);
}

/**
 * Keeps a choice. Withdrawing consent reloads the document, because a tag manager that is loaded cannot be unloaded.
 */
export function saveConsent(choice: NonNullable<Consent>): void {
  const before = readConsent(document.cookie);
  storeCookie(consentCookie(choice));
  if (choice === "denied") {
    storeCookie(NO_UTM);
    for (const name of findTheirCookies(document.cookie)) {
      // They are set for the host or for the whole domain, and the page cannot see which.
      for (const domain of ["", `; Domain=${location.hostname}`]) storeCookie(expiredCookie(name) + domain);
    }
  }
  if (before === "granted" && choice === "denied") location.reload();
  else dispatchEvent(new Event(CHANGED));
}

/** Finds the names of the cookies that Google's tags set. */
const findTheirCookies = (cookies: string) =>
  cookies.split(/;\s*/).flatMap((pair) => /^(?:_ga|_gid|_gat|_gcl)[^=]*/.exec(pair)?.[0] ?? []);
