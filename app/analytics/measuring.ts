import { createContext, type RouterContextProvider } from "react-router";
import { actionEventCookie } from "./action-event.ts";
import { readConsent, type Consent } from "./consent.ts";
import type { ActionEvent } from "./events.ts";
import { findUtm, NO_UTM, readUtm, utmCookie } from "./utm.ts";

/** What is measured of a request, and what its answer says of that. */
type Measuring = {
  /** The container of the tag manager; undefined where nothing is configured, and then nothing is measured. */
  gtmId: string | undefined;
  consent: Consent;
  /** Keeps the campaign of the address, or forgets it for whoever does not want to be measured. */
  utmCookie: string | undefined;
  event?: ActionEvent;
};

export const measuringContext = createContext<Measuring>();

/** Looks at what a request says about being measured. */
export function openMeasuring(request: Request, gtmId: string | undefined) {
  const cookies = request.headers.get("Cookie") ?? "";
  const consent = readConsent(cookies);
  const measuring: Measuring = { gtmId, consent, utmCookie: undefined };
  if (!gtmId || request.method !== "GET") return measuring;
  if (consent === "denied") {
    const isKept = Object.keys(readUtm(cookies)).length > 0;
    return { ...measuring, utmCookie: isKept ? NO_UTM : undefined };
  }
  const utm = findUtm(new URL(request.url));
  return {
    ...measuring,
    utmCookie: utm ? utmCookie(utm) : undefined,
  };
}

/** Notes what an action has done, for the page after it to tell of. */
export function noteEvent(context: Readonly<RouterContextProvider>, event: ActionEvent): void {
  context.get(measuringContext).event = event;
}

/** The `Set-Cookie` values of an answer. An event is only handed on where the reader wants it to be. */
export function measuringCookies({ gtmId, consent, utmCookie: campaign, event }: Measuring): string[] {
  const isMeasured = gtmId !== undefined && consent === "granted";
  return [...(campaign ? [campaign] : []), ...(event && isMeasured ? [actionEventCookie(event)] : [])];
}
