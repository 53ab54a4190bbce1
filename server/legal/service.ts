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
import { DOCUMENTS, findCurrent, listVersions, type VersionOf } from "./documents.ts";
import { hashText, type LegalText } from "./legal-text.ts";
import { findPublished, findText, insertAcceptances, type Acceptance } from "./queries.ts";

const NO_VERSION = "There is no such version of this document.";

type LegalDeps = Pick<Deps, "db" | "now">;

/** What reading a document needs. Without a database, only the versions in the code exist. */
export type DocumentDeps = Pick<Deps, "now"> & { db?: Db | undefined };

/** Returns a version of a document, by default the one in force. Throws NOT_FOUND if there is no such version. */
export async function readLegalDocument(
  { db, now }: DocumentDeps,
  { document, version }: LegalDocumentQuery,
): Promise<LegalDocument> {
  const published = db ? await findPublished(db, document) : [];
  const versions = listVersions(document, published);
  const current = findCurrent<VersionOf>(versions, now());
  const asked = version ?? current.version;
  const isPublished = published.some((each) => each.version === asked);
  const text =
    db && isPublished
      ? await findText(db, document, asked)
      : DOCUMENTS[document].find((each) => each.version === asked);
  if (!text) throw new AppError("NOT_FOUND", NO_VERSION);
  return describeText(text, { versions, current });
}

type Versions = { versions: readonly VersionOf[]; current: VersionOf };

/** Describes a text and its place among the versions, as members read it. */
export const describeText = (text: LegalText, { versions, current }: Versions): LegalDocument => ({
  ...text,
  standing: compareVersions(text.version, current),
  sha256: hashText(text).toString("hex"),
  versions: describeVersions({ versions, current }),
});

/** Lists the versions of a document, newest first. */
export const describeVersions = ({ versions, current }: Versions): LegalDocument["versions"] =>
  versions
    .map(({ version, effectiveFrom }) => ({ version, effectiveFrom, standing: compareVersions(version, current) }))
    .toReversed();

function compareVersions(version: number, current: VersionOf): LegalDocument["standing"] {
  if (version === current.version) return "current";
  return version < current.version ? "past" : "announced";
}

/** Returns whether a member has accepted the Terms in force. Throws NOT_FOUND if there is no such member. */
export async function readTermsStatus(deps: LegalDeps, userId: string): Promise<TermsStatus> {
  const { isAccepted, ...asked } = await readStatus(deps, userId, "tos");
  return { istosAccepted: isAccepted, ...asked };
}

/** Returns whether a member has accepted the Privacy Policy in force. Throws NOT_FOUND if there is no such member. */
export async function readPrivacyStatus(deps: LegalDeps, userId: string): Promise<PrivacyStatus> {
  const { isAccepted, ...asked } = await readStatus(deps, userId, "pp");
  return { isppAccepted: isAccepted, ...asked };
}

/** Returns whether a member has accepted the version in force. An older one does not count. */
async function readStatus({ db, now }: LegalDeps, userId: string, document: LegalDocumentName) {
  const { acceptances, published } = await readMember(db, userId);
  const accepted = acceptances.filter((each) => each.document === document);
  const since = published.filter((each) => each.document === document);
  const { version } = findCurrent<VersionOf>(listVersions(document, since), now());
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

/** A version with the hash that is stored with an acceptance of it. */
type Hashed = VersionOf & { textHash: Buffer };

async function findHashed(db: Db | Tx, document: LegalDocumentName): Promise<readonly [Hashed, ...Hashed[]]> {
  const [first, ...rest] = listVersions(document, await findPublished(db, document));
  return [toHashed(first), ...rest.map(toHashed)];
}

const toHashed = (version: LegalText | Hashed): Hashed =>
  "textHash" in version ? version : { ...version, textHash: hashText(version) };

/**
 * Accepts a version. Does nothing if repeated. If the version is no longer in force, records its acceptance all the
 * same, and the member is asked about the newer one. Throws NOT_FOUND for a version that is not in force yet, or does
 * not exist.
 */
export async function acceptDocument(
  { db, now }: LegalDeps,
  userId: string,
  document: LegalDocumentName,
  { version }: AcceptanceQuery = {},
): Promise<GenericResult> {
  const acceptedAt = now();
  const versions = await findHashed(db, document);
  const current = findCurrent(versions, acceptedAt);
  const read = version === undefined ? current : versions.find((each) => each.version === version);
  if (!read || read.version > current.version) throw new AppError("NOT_FOUND", NO_VERSION);
  await insertAcceptances(db, [toAcceptance(read, { userId, document, acceptedAt })]);
  return read === current ? { success: true, message: ACCEPTED[document] } : SUPERSEDED;
}

/** Records that members accepted the versions that were in force at these times. */
export async function recordAcceptances(
  db: Db | Tx,
  given: { userId: string; document: LegalDocumentName; at: Date }[],
): Promise<void> {
  const versions = { tos: await findHashed(db, "tos"), pp: await findHashed(db, "pp") };
  await insertAcceptances(
    db,
    given.map(({ at, ...whose }) =>
      toAcceptance(findCurrent(versions[whose.document], at), { ...whose, acceptedAt: at }),
    ),
  );
}

const toAcceptance = (
  { version, textHash }: Hashed,
  given: Pick<Acceptance, "userId" | "document" | "acceptedAt">,
): Acceptance => ({ ...given, version, textHash });
