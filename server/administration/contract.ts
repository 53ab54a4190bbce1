import * as z from "zod";
import { EMAIL_FORM, endpoint } from "../http/contract.ts";

/** For so long after giving their password an administrator need not give it again. */
export const FRESH_PASSWORD_SECONDS = 15 * 60;

const NO_REASON = "Enter a reason.";

/** Why something is changed: it is kept for good, and members find it in their own data. */
export const Reason = z
  .string(NO_REASON)
  .trim()
  .min(1, { error: NO_REASON, abort: true })
  // `trim` keeps spaces without a width, and some letters and symbols show nothing.
  .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(/[\p{DI}\u2800]/gu, "")), NO_REASON)
  .max(500, "Use 500 characters at most.");

/** What everything that changes something takes, beside what it changes. */
export const because = { reason: Reason };

/** How an administrator names a member: by the address they sign in with, or by their id. */
export const MemberName = z
  .string("Name a member by email address or id.")
  .trim()
  // The API's document describes only the input of a pipe.
  .meta({ description: "The email address that the member signs in with, or their id", maxLength: 254 })
  .pipe(z.union([z.email(EMAIL_FORM).max(254), z.uuid()], "Name a member by email address or id."));

/** Who did something: the operator at the server, a message from outside, or the administrator with this id. */
export const Doer = z.object({
  kind: z.enum(["administrator", "operator", "webhook"]),
  id: z.string().nullable(),
  /** Null also where the administrator has deleted their account. */
  email: z.string().nullable(),
});
export type Doer = z.infer<typeof Doer>;

/** The description of a field that says where the next page of a list begins. */
export const AFTER = { description: "The `next` of the page before" };

/** What a list that is read page by page is asked with. */
export const ListQuery = z.object({
  /** It may be an address. */
  after: z.string().max(254).optional().meta(AFTER),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
export type ListQuery = z.output<typeof ListQuery>;

/** A page of such a list. Nobody counts how many there are in all. */
export const listPage = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** What the next page begins after; null on the last one. */
    next: z.string().nullable(),
  });

export const Administrator = z
  .object({
    id: z.string(),
    email: z.string(),
    since: z.iso.datetime(),
    /** Null where the operator did it. */
    addedBy: z.string().nullable(),
    /** Null also where that administrator has deleted their account. */
    addedByEmail: z.string().nullable(),
    /** Who is blocked cannot sign in, and keeps the role. */
    blockedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Administrator" });
export type Administrator = z.infer<typeof Administrator>;

const AdministratorChange = z.object({ member: MemberName, ...because });

const AdministratorChanged = z
  .object({
    id: z.string(),
    email: z.string(),
    /** False where it was so already. */
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
    /** Of the member it is about; null for anything else, and once the account is deleted. */
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
