import { createContext, type RouterContextProvider } from "react-router";
import { say } from "../outcome/outcome.ts";
import { readConsent, type Consent } from "./consent.ts";
import { ACTION_EVENT, type ActionEvent } from "./events.ts";
import { findUtm, NO_UTM, readUtm, utmCookie } from "./utm.ts";

/** What is measured of a request, and what its answer says of that. */
type Measuring = {
  /** The container of the tag manager; undefined where nothing is configured, and then nothing is measured. */
  gtmId: string | undefined;
  consent: Consent;
  /** Keeps the campaign of the address, or forgets it for whoever does not want to be measured. */
  utmCookie: string | undefined;
};

export const measuringContext = createContext<Measuring>();

/** Looks at what a request says about being measured. */
export function openMeasuring(request: Request, configured: string | undefined) {
  const cookies = request.headers.get("Cookie") ?? "";
  const consent = readConsent(cookies);
  const url = new URL(request.url);
  // Tags read the address of their page themselves, and are not to learn a mailed code that stays in it.
  const gtmId = url.searchParams.has("code") ? undefined : configured;
  const measuring: Measuring = { gtmId, consent, utmCookie: undefined };
  if (!gtmId || request.method !== "GET") return measuring;
  if (consent === "denied") {
    const isKept = Object.keys(readUtm(cookies)).length > 0;
    return { ...measuring, utmCookie: isKept ? NO_UTM : undefined };
  }
  const utm = findUtm(url);
  return {
    ...measuring,
    utmCookie: utm ? utmCookie(utm) : undefined,
  };
}

/** Hands what an action has done to the page after it, where the reader wants to be measured. */
export function noteEvent(context: Readonly<RouterContextProvider>, event: ActionEvent): void {
  const { gtmId, consent } = context.get(measuringContext);
  if (gtmId === undefined || consent !== "granted") return;
  say(context, ACTION_EVENT, event.event, event.event === "reward_claimed" ? event.reward_id : "");
}
