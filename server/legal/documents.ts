import type { LegalDocumentName } from "./contract.ts";
import { PRIVACY_1 } from "./documents/privacy-1.ts";
import { PRIVACY_2 } from "./documents/privacy-2.ts";
import { TERMS_1 } from "./documents/terms-1.ts";
import { TERMS_2 } from "./documents/terms-2.ts";
import type { LegalText } from "./legal-text.ts";

/**
 * Every version of every document, the oldest first. A new version is a new file at the end of its list: from its first
 * day on (UTC) everybody is asked to accept it.
 */
export const DOCUMENTS: Record<LegalDocumentName, readonly [LegalText, ...LegalText[]]> = {
  tos: [TERMS_1, TERMS_2],
  pp: [PRIVACY_1, PRIVACY_2],
};

/** The version that holds at a time; before there was any, the first. */
export function findCurrent(document: LegalDocumentName, now: Date): LegalText {
  const versions = DOCUMENTS[document];
  return versions.findLast(({ effectiveFrom }) => new Date(effectiveFrom) <= now) ?? versions[0];
}
