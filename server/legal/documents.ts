import type { LegalDocumentName } from "./contract.ts";
import { PRIVACY_1 } from "./documents/privacy-1.ts";
import { PRIVACY_2 } from "./documents/privacy-2.ts";
import { TERMS_1 } from "./documents/terms-1.ts";
import { TERMS_2 } from "./documents/terms-2.ts";
import type { LegalText } from "./legal-text.ts";

/**
 * The first versions of every document, oldest first. Administrators publish later versions into the database, with
 * numbers that continue from the last one here.
 */
export const DOCUMENTS: Record<LegalDocumentName, readonly [LegalText, ...LegalText[]]> = {
  tos: [TERMS_1, TERMS_2],
  pp: [PRIVACY_1, PRIVACY_2],
};

/** The number of a version, and the first day (UTC) on which it is in force. */
export type VersionOf = Pick<LegalText, "version" | "effectiveFrom">;

/**
 * Lists every version of a document, oldest first: those in the code, and those published since. A published version
 * stays what it is, even if the code gets one with the same number.
 */
export function listVersions<Published extends VersionOf>(document: LegalDocumentName, published: Published[]) {
  const [first, ...later] = DOCUMENTS[document];
  const rest = later.filter(({ version }) => !published.some((each) => each.version === version));
  return [first, ...rest, ...published] as const;
}

/** Returns the version in force at a time. Before the first one was in force, returns that one. */
export function findCurrent<Version extends VersionOf>(versions: readonly [Version, ...Version[]], now: Date): Version {
  return versions.findLast(({ effectiveFrom }) => new Date(effectiveFrom) <= now) ?? versions[0];
}
