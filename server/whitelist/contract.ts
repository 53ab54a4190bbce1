import * as z from "zod";
import { CURSOR_FIELD, because, Doer, MemberName } from "../administration/contract.ts";
import { EMAIL_FORM, endpoint } from "../http/contract.ts";

/** How many addresses one call may name. */
const MOST_EMAILS = 500;

export const WhitelistChange = z.object({
  emails: z
    .array(
      z
        .string()
        .trim()
        .meta({ format: "email", maxLength: 254 })
        .pipe(z.email({ ...EMAIL_FORM, error: "That is not an email address." }).max(254)),
    )
    .min(1, "Name at least one address.")
    .max(MOST_EMAILS, `Name at most ${MOST_EMAILS} addresses.`),
  whitelisted: z.boolean(),
});
export type WhitelistChange = z.infer<typeof WhitelistChange>;

const WhitelistChangeResult = z.object({
  email: z.string(),
  /** "unchanged" if it was already so, "unknown" if no member has the address. */
  outcome: z.enum(["changed", "unchanged", "unknown"]),
});

export const WhitelistChanges = z
  .object({
    changed: z.number().int(),
    /** In the order of the addresses. An address that is named twice appears once. */
    results: z.array(WhitelistChangeResult),
  })
  .meta({ id: "WhitelistChanges" });
export type WhitelistChanges = z.infer<typeof WhitelistChanges>;

export const WhitelistStanding = z
  .object({
    id: z.string(),
    email: z.string(),
    isWhitelisted: z.boolean(),
    /** Since when, and by whom. Null if that was never recorded. */
    since: z.iso.datetime().nullable(),
    by: Doer.nullable(),
  })
  .meta({ id: "WhitelistStanding" });
export type WhitelistStanding = z.infer<typeof WhitelistStanding>;

export const WhitelistQuery = z.object({
  after: z.uuid().optional().meta(CURSOR_FIELD),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type WhitelistQuery = z.output<typeof WhitelistQuery>;

export const WhitelistPage = z
  .object({
    members: z.array(WhitelistStanding),
    /** Where the next page begins: after this id. Null on the last page. */
    next: z.string().nullable(),
  })
  .meta({ id: "WhitelistPage" });
export type WhitelistPage = z.infer<typeof WhitelistPage>;

export const MemberQuestion = z.object({ member: MemberName });
export type MemberQuestion = z.infer<typeof MemberQuestion>;

export const setWhitelisted = endpoint("POST /api/admin/whitelist", {
  access: "administrator",
  summary: "Put members on the whitelist, or take them off it",
  body: WhitelistChange.extend(because),
  response: WhitelistChanges,
});

export const readWhitelist = endpoint("GET /api/admin/whitelist", {
  access: "administrator",
  summary: "Who is on the whitelist, in the order in which they joined",
  query: WhitelistQuery,
  response: WhitelistPage,
});

/** A POST with a body, because a member's address must not appear in one of our URLs. */
export const checkWhitelisted = endpoint("POST /api/admin/whitelist/check", {
  access: "administrator",
  summary: "Whether a member is on the whitelist, since when and by whom",
  body: MemberQuestion,
  response: WhitelistStanding,
  fails: ["NOT_FOUND"],
});
