import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { GenericResult } from "../http/contract.ts";
import { readMember } from "../member/member.ts";
import type {
  AcceptanceQuery,
  LegalDocument,
  LegalDocumentName,
  LegalDocumentQuery,
  PrivacyStatus,
  TermsStatus,
} from "./contract.ts";
import { DOCUMENTS, findCurrent } from "./documents.ts";
import { hashText, type LegalText } from "./legal-text.ts";
import { insertAcceptances, type Acceptance } from "./queries.ts";

const NO_VERSION = "There is no such version of this document.";

type Asked = Pick<Deps, "db" | "now">;

/** A version of a document, by default the one that holds. Throws NOT_FOUND for one that there never was. */
export function readLegalDocument(
  { now }: Pick<Deps, "now">,
  { document, version }: LegalDocumentQuery,
): LegalDocument {
  const versions = DOCUMENTS[document];
  const current = findCurrent(document, now());
  const asked = version === undefined ? current : versions.find((each) => each.version === version);
  if (!asked) throw new AppError("NOT_FOUND", NO_VERSION);
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
  const { isAccepted, ...asked } = await readStatus(deps, userId, "tos");
  return { istosAccepted: isAccepted, ...asked };
}

export async function readPrivacyStatus(deps: Asked, userId: string): Promise<PrivacyStatus> {
  const { isAccepted, ...asked } = await readStatus(deps, userId, "pp");
  return { isppAccepted: isAccepted, ...asked };
}

/** Whether a member has accepted the version that holds now; an older one does not count. */
async function readStatus({ db, now }: Asked, userId: string, document: LegalDocumentName) {
  const { acceptances } = await readMember(db, userId);
  const accepted = acceptances.filter((each) => each.document === document);
  const { version } = findCurrent(document, now());
  const isAccepted = accepted.some((each) => each.version === version);
  return { isAccepted, version, acceptedBefore: accepted.length > 0 };
}

const ACCEPTED: Record<LegalDocumentName, string> = {
  tos: "Terms of Service accepted successfully",
  pp: "Privacy Policy accepted successfully",
};

const SUPERSEDED: GenericResult = {
  success: false,
  message: "A newer version has come into force since. Please read that one.",
};

/**
 * Accepts a version; doing it again changes nothing. One that no longer holds is written down as what it is, and the
 * member is asked about the newer one. Throws NOT_FOUND for one that has not held yet.
 */
export async function acceptDocument(
  { db, now }: Asked,
  userId: string,
  document: LegalDocumentName,
  { version }: AcceptanceQuery = {},
): Promise<GenericResult> {
  const acceptedAt = now();
  const current = findCurrent(document, acceptedAt);
  const read = version === undefined ? current : DOCUMENTS[document].find((each) => each.version === version);
  if (!read || read.version > current.version) throw new AppError("NOT_FOUND", NO_VERSION);
  await insertAcceptances(db, [toAcceptance(read, { userId, document, acceptedAt })]);
  return read === current ? { success: true, message: ACCEPTED[document] } : SUPERSEDED;
}

/** Writes down that members accepted what held at these times. */
export async function recordAcceptances(
  db: Db | Tx,
  given: { userId: string; document: LegalDocumentName; at: Date }[],
): Promise<void> {
  await insertAcceptances(
    db,
    given.map(({ at, ...whose }) => toAcceptance(findCurrent(whose.document, at), { ...whose, acceptedAt: at })),
  );
}

const toAcceptance = (text: LegalText, given: Pick<Acceptance, "userId" | "document" | "acceptedAt">): Acceptance => ({
  ...given,
  version: text.version,
  textHash: hashText(text),
});
