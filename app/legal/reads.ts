import { CACHE_TIMES } from "../cache/cache-times.ts";
import type { PageReads } from "../page/page-reads.ts";
import { defineRead, type Read } from "../cache/read.ts";
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
export async function keepLegalFlags({ get, read }: PageReads, flags: LegalFlags, member: string) {
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

/** What cannot be read is asked for again with the next page. */
const holds = (answer: Promise<boolean>): Promise<boolean> => answer.catch(() => false);
