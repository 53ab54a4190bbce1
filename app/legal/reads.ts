import { CACHE_TIMES } from "../cache/cache-times.ts";
import type { PageReads } from "../page/page-reads.ts";
import { defineRead, type Read } from "../cache/read.ts";
import { acceptedCookie, skippedCookie, type LegalFlags } from "./legal-flags.ts";

export const termsQuery = defineRead("terms", { source: (api) => api.legal.termsStatus(), ...CACHE_TIMES.terms });

export const privacyQuery = defineRead("privacy", {
  source: (api) => api.legal.privacyStatus(),
  ...CACHE_TIMES.privacy,
});

/**
 * Returns the reads that a page needs to decide what to ask: none if the browser says that both documents are accepted.
 */
export const legalReads = (read: Read, { tosAccepted, ppAccepted }: LegalFlags) => [
  ...(tosAccepted ? [] : [termsQuery(read)]),
  ...(ppAccepted ? [] : [privacyQuery(read)]),
];

/** Returns the `Set-Cookie` values that save the next page from reading the same again. */
export async function legalFlagCookies({ get, read }: PageReads, flags: LegalFlags, member: string) {
  if (!member) return [];
  const cookies: string[] = [];
  if (!flags.tosAccepted && (await holds(get(termsQuery(read)).then((terms) => terms.istosAccepted)))) {
    cookies.push(acceptedCookie("tosAccepted", member, true));
  }
  if (!flags.ppAccepted && (await holds(get(privacyQuery(read)).then((privacy) => privacy.isppAccepted)))) {
    cookies.push(acceptedCookie("ppAccepted", member, true));
    if (flags.ppSkipped) cookies.push(skippedCookie(member, false));
  }
  return cookies;
}

/** A status that cannot be read is read again for the next page. */
const holds = (answer: Promise<boolean>): Promise<boolean> => answer.catch(() => false);
