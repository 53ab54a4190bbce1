import { expiredCookie, readCookie, serializeCookie } from "../cookies/plain-cookie.ts";

/**
 * What the browser remembers about the documents, so that the first byte of a page can depend on it. The server
 * enforces nothing with it.
 */
export type LegalFlags = { tosAccepted: boolean; ppAccepted: boolean; ppSkipped: boolean };

/** A day, in seconds. Without scripts, a browser learns of a new version after that at the latest. */
const ACCEPTED_MAX_AGE = 24 * 60 * 60;

/**
 * Reads this member's flags from a request. Each cookie holds the id of its member, so it says nothing about whoever
 * signs in next.
 */
export function readLegalFlags(request: Request, member: string): LegalFlags {
  const header = request.headers.get("Cookie") ?? "";
  const isSet = (name: keyof LegalFlags) => member !== "" && readCookie(header, name) === encodeURIComponent(member);
  return { tosAccepted: isSet("tosAccepted"), ppAccepted: isSet("ppAccepted"), ppSkipped: isSet("ppSkipped") };
}

/** Returns the cookie that says that a member has accepted a document, or removes it. */
export function acceptedCookie(name: "tosAccepted" | "ppAccepted", member: string, accepted: boolean) {
  return accepted
    ? serializeCookie(name, encodeURIComponent(member), { maxAge: ACCEPTED_MAX_AGE })
    : expiredCookie(name);
}

/** Returns the cookie that says that a member does not want to be asked until the browser closes, or removes it. */
export function skippedCookie(member: string, skipped: boolean) {
  return skipped ? serializeCookie("ppSkipped", encodeURIComponent(member)) : expiredCookie("ppSkipped");
}
