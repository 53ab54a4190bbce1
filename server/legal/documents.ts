import type { LegalDocumentName } from "./contract.ts";
import { PRIVACY_1 } from "./documents/privacy-1.ts";
import { PRIVACY_2 } from "./documents/privacy-2.ts";
import { TERMS_1 } from "./documents/terms-1.ts";
import { TERMS_2 } from "./documents/terms-2.ts";
import type { LegalText } from "./legal-text.ts";

/**
 * The first versions of every document, the oldest first. Those after them are published by administrators and stand in
 * the database: their numbers go on from the last of these.
 */
export const DOCUMENTS: Record<LegalDocumentName, readonly [LegalText, ...LegalText[]]> = {
  tos: [TERMS_1, TERMS_2],
  pp: [PRIVACY_1, PRIVACY_2],
};

/** Which version it is, and the first day (UTC) on which it holds. */
export type VersionOf = Pick<LegalText, "version" | "effectiveFrom">;

/**
 * Every version of a document, the oldest first: those in the code, and those that were published since. What was
 * published stays what it is, whatever is added to the code under the same number.
 */
export function listVersions<Published extends VersionOf>(document: LegalDocumentName, published: Published[]) {
  const [first, ...later] = DOCUMENTS[document];
  const rest = later.filter(({ version }) => !published.some((each) => each.version === version));
  return [first, ...rest, ...published] as const;
}

/** The version that holds at a time; before there was any, the first. */
export function findCurrent<Version extends VersionOf>(versions: readonly [Version, ...Version[]], now: Date): Version {
  return versions.findLast(({ effectiveFrom }) => new Date(effectiveFrom) <= now) ?? versions[0];
}
