import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";

/** The documents that members accept, by the names of the calls about them. */
export const LegalDocumentName = z.enum(["tos", "pp"]);
export type LegalDocumentName = z.infer<typeof LegalDocumentName>;

/** What another backend may not say. */
const Standing = z.object({
  /** The version that holds now, which the answer is about. */
  version: z.number().int().optional(),
  /** Whether the member has accepted any version of it: to the others nothing has been updated. */
  acceptedBefore: z.boolean().optional(),
});

export const TermsStatus = z.object({ istosAccepted: z.boolean(), ...Standing.shape }).meta({ id: "TermsStatus" });
export type TermsStatus = z.infer<typeof TermsStatus>;

export const PrivacyStatus = z.object({ isppAccepted: z.boolean(), ...Standing.shape }).meta({ id: "PrivacyStatus" });
export type PrivacyStatus = z.infer<typeof PrivacyStatus>;

const Version = z.object({
  version: z.number().int(),
  /** The first day on which it holds (UTC). */
  effectiveFrom: z.iso.date(),
  /** Whether it is the one that holds, held before, or is announced. */
  standing: z.enum(["current", "past", "announced"]),
});

const Section = z.object({
  /** Its place in the document's address. */
  id: z.string(),
  title: z.string(),
  /** Paragraphs, and lists of points. */
  text: z.array(z.union([z.string(), z.array(z.string())])),
});

export const LegalDocument = z
  .object({
    ...Version.shape,
    title: z.string(),
    /** What is different from the version before; null for the first. */
    changes: z.string().nullable(),
    sections: z.array(Section),
    /** SHA-256 of the text, in hexadecimal: what an acceptance is stored with. */
    sha256: z.string(),
    /** Every version there is, the newest first. */
    versions: z.array(Version),
  })
  .meta({ id: "LegalDocument" });
export type LegalDocument = z.infer<typeof LegalDocument>;

const askedVersion = z.coerce.number().int().min(1).max(9999).optional();

export const LegalDocumentQuery = z.object({
  document: LegalDocumentName,
  /** The one that holds now, unless given. */
  version: askedVersion,
});
export type LegalDocumentQuery = z.output<typeof LegalDocumentQuery>;

export const readLegalDocument = endpoint("GET /api/legal/documents", {
  access: "anyone",
  summary: "The text of the Terms of Service or of the Privacy Policy",
  query: LegalDocumentQuery,
  response: LegalDocument,
  fails: ["NOT_FOUND"],
});

export const readTermsStatus = endpoint("GET /api/users/istosaccepted", {
  summary: "Whether the member has accepted the current Terms of Service",
  response: TermsStatus,
});

/** The version that was read. Without it, the one that holds when the call comes. */
export const AcceptanceQuery = z.object({ version: askedVersion });
export type AcceptanceQuery = z.output<typeof AcceptanceQuery>;

export const acceptTerms = endpoint("POST /api/users/accept-tos", {
  summary: "Accept the Terms of Service; `success` is false where a newer version holds than the one named",
  query: AcceptanceQuery,
  response: GenericResult,
  fails: ["NOT_FOUND"],
});

export const readPrivacyStatus = endpoint("GET /api/users/isppaccepted", {
  summary: "Whether the member has accepted the current Privacy Policy",
  response: PrivacyStatus,
});

export const acceptPrivacy = endpoint("POST /api/users/accept-pp", {
  summary: "Accept the Privacy Policy; `success` is false where a newer version holds than the one named",
  query: AcceptanceQuery,
  response: GenericResult,
  fails: ["NOT_FOUND"],
});
