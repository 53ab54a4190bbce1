import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { oncePerPage } from "../http/call-scope.ts";
import type { LegalDocument, LegalDocumentName, LegalDocumentQuery, PrivacyStatus, TermsStatus } from "./contract.ts";
import { DOCUMENTS, findCurrent } from "./documents.ts";
import { hashText, type LegalText } from "./legal-text.ts";
import { findAcceptances, insertAcceptances } from "./queries.ts";

type Asked = Pick<Deps, "db" | "now">;

/** A version of a document, by default the one that holds. Throws NOT_FOUND for one that there never was. */
export function readLegalDocument(
  { now }: Pick<Deps, "now">,
  { document, version }: LegalDocumentQuery,
): LegalDocument {
  const versions = DOCUMENTS[document];
  const current = findCurrent(document, now());
  const asked = version === undefined ? current : versions.find((each) => each.version === version);
  if (!asked) throw new AppError("NOT_FOUND", "There is no such version of this document.");
  const place = (each: LegalText) => ({
    version: each.version,
    effectiveFrom: each.effectiveFrom,
    standing: compareVersions(each, current),
  });
  return {
    ...asked,
    ...place(asked),
    sha256: hashText(asked).toString("hex"),
    versions: versions.map(place).toReversed(),
  };
}

function compareVersions({ version }: LegalText, current: LegalText): LegalDocument["standing"] {
  if (version === current.version) return "current";
  return version < current.version ? "past" : "announced";
}

export async function readTermsStatus(deps: Asked, userId: string): Promise<TermsStatus> {
  return { istosAccepted: await hasAccepted(deps, userId, "tos") };
}

export async function readPrivacyStatus(deps: Asked, userId: string): Promise<PrivacyStatus> {
  return { isppAccepted: await hasAccepted(deps, userId, "pp") };
}

/** Whether a member has accepted the version that holds now; an older one does not count. */
async function hasAccepted({ db, now }: Asked, userId: string, document: LegalDocumentName): Promise<boolean> {
  const accepted = await oncePerPage(`acceptances ${userId}`, () => findAcceptances(db, userId));
  const { version } = findCurrent(document, now());
  return accepted.some((each) => each.document === document && each.version === version);
}

const ACCEPTED: Record<LegalDocumentName, string> = {
  tos: "Terms of Service accepted successfully",
  pp: "Privacy Policy accepted successfully",
};

/** Accepts the version that holds now; doing it again changes nothing. */
export async function acceptDocument({ db, now }: Asked, userId: string, document: LegalDocumentName) {
  await recordAcceptances(db, [{ userId, document, at: now() }]);
  return { success: true, message: ACCEPTED[document] };
}

/** Writes down that members accepted what held at these times. */
export async function recordAcceptances(
  db: Db | Tx,
  given: { userId: string; document: LegalDocumentName; at: Date }[],
): Promise<void> {
  const acceptances = given.map(({ userId, document, at }) => {
    const text = findCurrent(document, at);
    return { userId, document, version: text.version, textHash: hashText(text), acceptedAt: at };
  });
  await insertAcceptances(db, acceptances);
}
