import * as z from "zod";
import { because, listPage, ListQuery } from "../administration/contract.ts";
import { BackgroundJob } from "../background-work/contract.ts";
import { RefusedBeat } from "../heartbeats/contract.ts";
import { EMAIL_FORM, endpoint } from "../http/contract.ts";
import { PointsCategory } from "../points/contract.ts";
import { Session } from "../sessions/contract.ts";

const Search = z.string().trim().max(254).optional().meta({
  description: "The beginning of an email address, or an id, a wallet or a referral code",
});

export const FoundMember = z
  .object({
    id: z.string(),
    email: z.string(),
    createdAt: z.iso.datetime(),
    isWhitelisted: z.boolean(),
    blockedAt: z.iso.datetime().nullable(),
    deletionDueAt: z.iso.datetime().nullable(),
    points: z.number(),
  })
  .meta({ id: "FoundMember" });
export type FoundMember = z.infer<typeof FoundMember>;

const Machine = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});

export const MemberAccount = z
  .object({
    id: z.string(),
    email: z.string(),
    createdAt: z.iso.datetime(),
    onboardedAt: z.iso.datetime().nullable(),
    blockedAt: z.iso.datetime().nullable(),
    /** When the account will be deleted, if the member has requested that. */
    deletionDueAt: z.iso.datetime().nullable(),
    isWhitelisted: z.boolean(),
    isAdministrator: z.boolean(),
    personalCode: z.string().nullable(),
    /** Who invited them, if anybody did. The address is null once that account is deleted. */
    invitedBy: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
    /** That invitation, if it was held. "held" still waits for a decision; nobody is paid for a "refused" one. */
    heldInvitation: z.object({ id: z.string(), standing: z.enum(["held", "released", "refused"]) }).nullable(),
    points: z.object({
      total: z.number(),
      connectivity: z.number(),
      referral: z.number(),
      rewards: z.number(),
      others: z.number(),
    }),
    heartbeats: z.number().int(),
    lastBeatAt: z.iso.datetime().nullable(),
    /** The latest heartbeats that did not count, and why. */
    refusedBeats: z.array(RefusedBeat),
    referrals: z.object({ invited: z.number().int(), successful: z.number().int(), points: z.number() }),
    wallet: z.string().nullable(),
    /** The state of the Smart Account and the Machine ID on the chain; null if none was requested. */
    smartAccount: z.string().nullable(),
    machineId: z.string().nullable(),
    /** The ids of the chain jobs with these states. */
    chainJobs: z.object({ smartAccount: z.string().nullable(), machineId: z.string().nullable() }),
    machines: z.array(Machine),
    /** Emails to them that still wait or were given up, latest first; null if it is unknown whose an email is. */
    emails: z.array(BackgroundJob).nullable(),
    sessions: z.array(Session),
  })
  .meta({ id: "MemberAccount" });
export type MemberAccount = z.infer<typeof MemberAccount>;

export const MemberEntry = z
  .object({
    id: z.string(),
    category: PointsCategory,
    points: z.number(),
    comment: z.string(),
    rule: z.string(),
    occurredAt: z.iso.datetime(),
  })
  .meta({ id: "MemberEntry" });
export type MemberEntry = z.infer<typeof MemberEntry>;

const MemberId = z.object({ id: z.uuid().toLowerCase() });

const MemberChanged = z
  .object({
    email: z.string(),
    /** False if it was in that state already. */
    changed: z.boolean(),
    /** How many sessions this ended. */
    ended: z.number().int(),
  })
  .meta({ id: "MemberChanged" });

export const findMembers = endpoint("GET /api/admin/members", {
  access: "administrator",
  summary: "Members by the beginning of an email, or by id, wallet or referral code; without a search the latest first",
  query: ListQuery.extend({ search: Search }),
  response: listPage(FoundMember),
});

export const readMember = endpoint("GET /api/admin/members/{id}", {
  access: "administrator",
  summary: "A member's account",
  params: MemberId,
  response: MemberAccount,
  fails: ["NOT_FOUND"],
});

export const readEntries = endpoint("GET /api/admin/members/{id}/points", {
  access: "administrator",
  summary: "A member's ledger of points, the latest first",
  params: MemberId,
  query: ListQuery,
  response: listPage(MemberEntry).extend({
    email: z.string(),
    /** From when on heartbeats are listed; null while all of them are. */
    heartbeatsSince: z.iso.datetime().nullable(),
  }),
  fails: ["NOT_FOUND"],
});

export const blockMember = endpoint("POST /api/admin/members/{id}/block", {
  access: "administrator",
  summary: "Block a member: signs them out everywhere and refuses their sign-ins",
  params: MemberId,
  body: z.object(because),
  response: MemberChanged,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const unblockMember = endpoint("POST /api/admin/members/{id}/unblock", {
  access: "administrator",
  summary: "Let a member in again",
  params: MemberId,
  body: z.object(because),
  response: MemberChanged,
  fails: ["NOT_FOUND"],
});

export const endSessions = endpoint("POST /api/admin/members/{id}/sessions/end", {
  access: "administrator",
  summary: "Sign a member out everywhere, or in one session",
  params: MemberId,
  body: z
    .object({ ...because, sessionId: z.uuid().optional() })
    .strict()
    .meta({ description: "Without `sessionId` every session ends. Unknown fields are refused." }),
  response: MemberChanged,
  fails: ["NOT_FOUND"],
});

export const ChangeAddressInput = z.object({
  email: z
    .string("Enter the new address.")
    .trim()
    .meta({ format: "email", maxLength: 254 })
    .pipe(z.email({ ...EMAIL_FORM, error: "Enter a valid email." }).max(254, "Enter a valid email.")),
});

export const changeAddress = endpoint("POST /api/admin/members/{id}/address", {
  access: "administrator",
  summary: "Change the email a member signs in with: signs them out everywhere, and emails both addresses",
  params: MemberId,
  body: ChangeAddressInput.extend(because),
  response: MemberChanged,
  fails: ["NOT_FOUND", "CONFLICT", "REQUIREMENTS_NOT_MET"],
});
