import { CACHE_TIMES } from "../api/cache-times.ts";
import type { PageReads } from "../api/page-reads.ts";
import { defineRead, type Read } from "../api/read.ts";
import { acceptedCookie, skippedCookie, type LegalFlags } from "./legal-flags.ts";

export const termsQuery = defineRead("terms", { source: (api) => api.legal.termsStatus(), ...CACHE_TIMES.terms });

export const privacyQuery = defineRead("privacy", {
  source: (api) => api.legal.privacyStatus(),
  ...CACHE_TIMES.privacy,
});

/** What a page has to ask about the documents: nothing where the browser says that they are accepted. */
export const legalReads = (read: Read, { tosAccepted, ppAccepted }: LegalFlags) => [
  ...(tosAccepted ? [] : [termsQuery(read)]),
  ...(ppAccepted ? [] : [privacyQuery(read)]),
];

/** The `Set-Cookie` values by which the next page need not ask for what this one has read. */
export async function keepLegalFlags({ get, read }: PageReads, flags: LegalFlags, member: string, url: URL) {
  if (!member) return [];
  const cookies: string[] = [];
  if (!flags.tosAccepted && (await holds(get(termsQuery(read)).then((terms) => terms.istosAccepted)))) {
    cookies.push(acceptedCookie("tosAccepted", member, true, url));
  }
  if (!flags.ppAccepted && (await holds(get(privacyQuery(read)).then((privacy) => privacy.isppAccepted)))) {
    cookies.push(acceptedCookie("ppAccepted", member, true, url));
    if (flags.ppSkipped) cookies.push(skippedCookie(member, false, url));
  }
  return cookies;
}

const holds = (answer: Promise<boolean>): Promise<boolean> => answer.catch(() => false);
