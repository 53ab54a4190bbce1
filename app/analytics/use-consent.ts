import { useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import { dropCookie, keepCookie } from "../cookies/plain-cookie.ts";
import type { MeasuringData } from "./analytics.tsx";
import { consentCookie, readConsent, type Consent } from "./consent.ts";
import { NO_UTM } from "./utm.ts";

const CHANGED = "consentchange";

/** Null where nothing is configured. */
export const useMeasuring = () => useRouteLoaderData<{ measuring: MeasuringData }>("root")?.measuring ?? null;

/** The reader's choice as it stands: by the server's knowledge first, then by the cookie. */
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

/** Keeps a choice. Withdrawing begins a new document: what a tag manager has loaded cannot be unloaded from the old. */
export function choose(choice: NonNullable<Consent>): void {
  const before = readConsent(document.cookie);
  keepCookie(consentCookie(choice));
  if (choice === "denied") {
    keepCookie(NO_UTM);
    for (const name of findTheirCookies(document.cookie)) {
      // Kept for the host or for the whole domain, which cannot be told from here.
      for (const domain of ["", `; Domain=${location.hostname}`]) keepCookie(dropCookie(name) + domain);
    }
  }
  if (before === "granted" && choice === "denied") location.reload();
  else dispatchEvent(new Event(CHANGED));
}

/** The names of the cookies that Google's tags keep. */
const findTheirCookies = (cookies: string) =>
  cookies.split(/;\s*/).flatMap((pair) => /^(?:_ga|_gid|_gat|_gcl)[^=]*/.exec(pair)?.[0] ?? []);
