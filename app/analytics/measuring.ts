import { createContext, type RouterContextProvider } from "react-router";
import { leaveOutcome } from "../outcome/outcome.ts";
import { readConsent, type Consent } from "./consent.ts";
import { ACTION_EVENT, type ActionEvent } from "./events.ts";
import { findUtm, NO_UTM, readUtm, utmCookie } from "./utm.ts";

/** What may be measured of a request, and the cookie of its response. */
type Measuring = {
  /** The container of the tag manager. If it is undefined, nothing is configured or measured. */
  gtmId: string | undefined;
  consent: Consent;
  /** Keeps the campaign in the address, or removes it for users who do not want to be measured. */
  utmCookie: string | undefined;
};

export const measuringContext = createContext<Measuring>();

/** Finds out what a request says about being measured. */
export function openMeasuring(request: Request, configured: string | undefined) {
  const cookies = request.headers.get("Cookie") ?? "";
  const consent = readConsent(cookies);
  const url = new URL(request.url);
  // Tags read the page's address themselves, and must not learn a mailed code that is still in it.
  const gtmId = url.searchParams.has("code") ? undefined : configured;
  const measuring: Measuring = { gtmId, consent, utmCookie: undefined };
  if (!gtmId || request.method !== "GET") return measuring;
  if (consent === "denied") {
    const isStored = Object.keys(readUtm(cookies)).length > 0;
    return { ...measuring, utmCookie: isStored ? NO_UTM : undefined };
  }
  const utm = findUtm(url);
  return {
    ...measuring,
    utmCookie: utm ? utmCookie(utm) : undefined,
  };
}

/** Passes what an action has done to the next page, if the user allows measuring. */
export function queueEvent(context: Readonly<RouterContextProvider>, event: ActionEvent): void {
  const { gtmId, consent } = context.get(measuringContext);
  if (gtmId === undefined || consent !== "granted") return;
  leaveOutcome(context, ACTION_EVENT, event.event, event.event === "reward_claimed" ? event.reward_id : "");
}
