import { dropCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";

/**
 * What the browser remembers of the documents, so that the first byte can go by it. The server enforces nothing by it.
 */
export type LegalFlags = { tosAccepted: boolean; ppAccepted: boolean; ppSkipped: boolean };

/** A day: a browser without scripts hears of a new version after that at the latest. */
const ACCEPTED_MAX_AGE = 24 * 60 * 60;

/**
 * The flags of a request that are this member's. Each cookie holds the id of the member whom it is about, so that it
 * says nothing of whoever signs in next.
 */
export function readLegalFlags(request: Request, member: string): LegalFlags {
  const header = request.headers.get("Cookie") ?? "";
  const isSet = (name: keyof LegalFlags) => member !== "" && readCookie(header, name) === encodeURIComponent(member);
  return { tosAccepted: isSet("tosAccepted"), ppAccepted: isSet("ppAccepted"), ppSkipped: isSet("ppSkipped") };
}

/** The cookie that says that a member has accepted a document, or takes it back. */
export function acceptedCookie(name: "tosAccepted" | "ppAccepted", member: string, accepted: boolean) {
  return accepted ? writeCookie(name, encodeURIComponent(member), { maxAge: ACCEPTED_MAX_AGE }) : dropCookie(name);
}

/** The cookie that says until the browser closes that a member does not want to be asked, or takes it back. */
export function skippedCookie(member: string, skipped: boolean) {
  return skipped ? writeCookie("ppSkipped", encodeURIComponent(member)) : dropCookie("ppSkipped");
}
