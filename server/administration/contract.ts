import * as z from "zod";
import { EMAIL_FORM, endpoint } from "../http/contract.ts";

/** How long an administrator need not enter their password again. */
export const FRESH_PASSWORD_SECONDS = 15 * 60;

const NO_REASON = "Enter a reason.";

/** Why something is changed. It is kept for good, and members find it in their own data. */
export const Reason = z
  .string(NO_REASON)
  .trim()
  .min(1, { error: NO_REASON, abort: true })
  // `trim` keeps zero-width spaces, and some letters and symbols are invisible.
  .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(/[\p{DI}\u2800]/gu, "")), NO_REASON)
  .max(500, "Use 500 characters at most.");

/** The field that every change takes in addition to its own. */
export const because = { reason: Reason };

/** How an administrator names a member: by the address they sign in with, or by their id. */
export const MemberName = z
  .string("Name a member by email address or id.")
  .trim()
  // The API document describes only the input of a pipe.
  .meta({ description: "The email address that the member signs in with, or their id", maxLength: 254 })
  .pipe(z.union([z.email(EMAIL_FORM).max(254), z.uuid()], "Name a member by email address or id."));

/** Who did something: the operator of the server, a message from outside, or the administrator with this id. */
export const Doer = z.object({
  kind: z.enum(["administrator", "operator", "webhook"]),
  id: z.string().nullable(),
  /** Also null if the administrator has deleted their account. */
  email: z.string().nullable(),
});
export type Doer = z.infer<typeof Doer>;

/** Describes the field that says where the next page of a list begins. */
export const CURSOR_FIELD = { description: "The `next` of the page before" };

/** The query of a list that is read page by page. */
export const ListQuery = z.object({
  /** A cursor may be an email address. */
  after: z.string().max(254).optional().meta(CURSOR_FIELD),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
export type ListQuery = z.output<typeof ListQuery>;

/** A page of such a list. There is no count of all items. */
export const listPage = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** The cursor of the next page; null on the last one. */
    next: z.string().nullable(),
  });

export const Administrator = z
  .object({
    id: z.string(),
    email: z.string(),
    since: z.iso.datetime(),
    /** Null if the operator added them. */
    addedBy: z.string().nullable(),
    /** Also null if that administrator has deleted their account. */
    addedByEmail: z.string().nullable(),
    /** When they were blocked: they cannot sign in then, but keep the role. */
    blockedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Administrator" });
export type Administrator = z.infer<typeof Administrator>;

const AdministratorChange = z.object({ member: MemberName, ...because });

const AdministratorChanged = z
  .object({
    id: z.string(),
    email: z.string(),
    /** False if it was in that state already. */
    changed: z.boolean(),
  })
  .meta({ id: "AdministratorChanged" });

export const readAdministrators = endpoint("GET /api/admin/administrators", {
  access: "administrator",
  summary: "All administrators, the first one first",
  response: z.object({ administrators: z.array(Administrator) }),
});

export const addAdministrator = endpoint("POST /api/admin/administrators", {
  access: "administrator",
  summary: "Add an administrator",
  body: AdministratorChange,
  response: AdministratorChanged,
  fails: ["NOT_FOUND"],
});

export const removeAdministrator = endpoint("POST /api/admin/administrators/remove", {
  access: "administrator",
  summary: "Remove an administrator at once; the last one stays",
  body: AdministratorChange,
  response: AdministratorChanged,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    by: Doer,
    action: z.string(),
    subject: z.string(),
    subjectId: z.string(),
    /** The address of the member that it is about; null for any other subject, and once the account is deleted. */
    subjectEmail: z.string().nullable(),
    reason: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

const AuditQuery = ListQuery.extend({
  about: z.string().trim().max(254).optional().meta({
    description:
      "The email address or id of whom it is about, the id also of an account that is deleted; or anything else as an entry names it, such as `campaign survey`",
  }),
  by: z.string().trim().max(254).optional().meta({ description: "The email address or id of the administrator" }),
  action: z.string().trim().max(64).optional().meta({ description: "What was done, as an entry names it" }),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const readAudit = endpoint("GET /api/admin/audit", {
  access: "administrator",
  summary: "What administrators and operators changed, and why, the latest first",
  query: AuditQuery,
  response: listPage(AuditEntry),
});
