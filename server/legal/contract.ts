import * as z from "zod";
import { because, Doer } from "../administration/contract.ts";
import { CalendarDay, endpoint, GenericResult } from "../http/contract.ts";

/** The documents that members accept, named as in the calls about them. */
export const LegalDocumentName = z.enum(["tos", "pp"]);
export type LegalDocumentName = z.infer<typeof LegalDocumentName>;

/**
 * What another backend may leave out. A value of another kind counts as left out: the specification has neither field,
 * so it must not decide whether a status can be read.
 */
const Standing = z.object({
  /** The version in force, which the response is about. */
  version: z.number().int().optional().catch(undefined),
  /** Whether the member has accepted any version before. If not, nothing has been updated for them. */
  acceptedBefore: z.boolean().optional().catch(undefined),
});

export const TermsStatus = z.object({ istosAccepted: z.boolean(), ...Standing.shape }).meta({ id: "TermsStatus" });
export type TermsStatus = z.infer<typeof TermsStatus>;

export const PrivacyStatus = z.object({ isppAccepted: z.boolean(), ...Standing.shape }).meta({ id: "PrivacyStatus" });
export type PrivacyStatus = z.infer<typeof PrivacyStatus>;

const Version = z.object({
  version: z.number().int(),
  /** The first day (UTC) on which it is in force. */
  effectiveFrom: z.iso.date(),
  /** Whether it is in force, was in force before, or is announced. */
  standing: z.enum(["current", "past", "announced"]),
});

const Section = z.object({
  /** Its anchor in the document's address. */
  id: z.string(),
  title: z.string(),
  /** Paragraphs, and lists of points. */
  text: z.array(z.union([z.string(), z.array(z.string())])),
});

export const LegalDocument = z
  .object({
    ...Version.shape,
    title: z.string(),
    /** What changed since the version before. Null for the first. */
    changes: z.string().nullable(),
    sections: z.array(Section),
    /** The SHA-256 of the text in hexadecimal, which is stored with an acceptance. */
    sha256: z.string(),
    /** Every version, newest first. */
    versions: z.array(Version),
  })
  .meta({ id: "LegalDocument" });
export type LegalDocument = z.infer<typeof LegalDocument>;

const askedVersion = z.coerce.number().int().min(1).max(9999).optional();

export const LegalDocumentQuery = z.object({
  document: LegalDocumentName,
  version: askedVersion.meta({ description: "The one that holds now, unless given" }),
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
  mayLag: true,
  response: TermsStatus,
});

export const AcceptanceQuery = z.object({
  version: askedVersion.meta({
    description: "The one that was read; without it, the one that holds when the call comes",
  }),
});
export type AcceptanceQuery = z.output<typeof AcceptanceQuery>;

export const acceptTerms = endpoint("POST /api/users/accept-tos", {
  summary: "Accept the Terms of Service; `success` is false if a newer version is in force",
  query: AcceptanceQuery,
  response: GenericResult,
  fails: ["NOT_FOUND"],
});

export const readPrivacyStatus = endpoint("GET /api/users/isppaccepted", {
  summary: "Whether the member has accepted the current Privacy Policy",
  mayLag: true,
  response: PrivacyStatus,
});

export const acceptPrivacy = endpoint("POST /api/users/accept-pp", {
  summary: "Accept the Privacy Policy; `success` is false if a newer version is in force",
  query: AcceptanceQuery,
  response: GenericResult,
  fails: ["NOT_FOUND"],
});

const text = (what: string, most: number) =>
  z
    .string(`Write ${what}.`)
    .trim()
    .min(1, `Write ${what}.`)
    .max(most, `Use ${most.toLocaleString("de-DE")} characters at most.`)
    .refine((value) => !CONTROL.test(value), "Leave out characters that nobody can see.");

/**
 * Control characters except line endings and tabs, and characters that change the direction of the text around them.
 */
const CONTROL = /[\p{Cc}\u202A-\u202E\u2066-\u2069](?<![\t\n\r])/u;

/** The draft of a document's next version. */
export const LegalDraftInput = z.object({
  title: text("a title", 120),
  /** What changes from the version before. */
  changes: text("what is different from the version before", 2000),
  /** Headings as `## In short {#in-short}`, paragraphs separated by empty lines, and points as `- one`. */
  source: text("the text", 60_000),
  /** The first day (UTC) on which it will be in force. */
  effectiveFrom: CalendarDay,
  /** The revision of the draft that the administrator has seen. 0 if there was none. */
  revision: z.coerce.number().int().min(0).max(2_147_483_647),
});
export type LegalDraftInput = z.output<typeof LegalDraftInput>;

/** What can be edited. It may be incomplete. */
const Editable = z.object({
  title: z.string(),
  changes: z.string(),
  source: z.string(),
  effectiveFrom: z.iso.date(),
  revision: z.number().int(),
});

const LegalDraft = z.object({
  ...Editable.shape,
  savedAt: z.iso.datetime(),
  savedBy: Doer,
});

export const LegalEditing = z
  .object({
    document: LegalDocumentName,
    /** Every version, newest first. */
    versions: z.array(Version),
    draft: LegalDraft.nullable(),
    /** The draft as members will read it. */
    preview: LegalDocument.nullable(),
    /** What a new draft starts from: the last version, and the first possible day. */
    start: Editable,
  })
  .meta({ id: "LegalEditing" });
export type LegalEditing = z.infer<typeof LegalEditing>;

export const LegalDraftSummary = z
  .object({
    document: LegalDocumentName,
    title: z.string(),
    versions: z.array(Version),
    draftSavedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "LegalDraftSummary" });
export type LegalDraftSummary = z.infer<typeof LegalDraftSummary>;

const params = z.object({ document: LegalDocumentName });
const seen = z.object({ revision: LegalDraftInput.shape.revision, ...because });

export const readLegalDrafts = endpoint("GET /api/admin/legal", {
  access: "administrator",
  summary: "The documents that members accept, their versions, and what is being written",
  response: z.array(LegalDraftSummary),
});

export const readLegalEditing = endpoint("GET /api/admin/legal/{document}", {
  access: "administrator",
  summary: "A document's draft, and how members will read it",
  params,
  response: LegalEditing,
});

export const saveLegalDraft = endpoint("POST /api/admin/legal/{document}/draft", {
  access: "administrator",
  summary: "Save the draft of the next version; CONFLICT if it was changed since it was read",
  params,
  body: LegalDraftInput.extend(because),
  response: LegalEditing,
  fails: ["CONFLICT"],
});

export const discardLegalDraft = endpoint("POST /api/admin/legal/{document}/discard", {
  access: "administrator",
  summary: "Discard the draft",
  params,
  body: seen,
  response: LegalEditing,
  fails: ["CONFLICT"],
});

export const publishLegalDraft = endpoint("POST /api/admin/legal/{document}/publish", {
  access: "administrator",
  summary:
    "Publish the draft as the next version, which never changes; members are asked to accept it from its first day on",
  params,
  body: seen,
  response: LegalEditing,
  fails: ["CONFLICT"],
});
