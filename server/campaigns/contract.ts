import * as z from "zod";
import { because, ListQuery, listPage, MemberName } from "../administration/contract.ts";
import { HEARTBEAT_REWARD_ID } from "../heartbeats/contract.ts";
import { endpoint, Instant } from "../http/contract.ts";
import { roundPoints } from "../points/amount.ts";
import { WebhookHeaders } from "../webhooks/contract.ts";

const words = (what: string, most: number) =>
  z.string(`Enter ${what}.`).trim().min(1, `Enter ${what}.`).max(most, `Use ${most} characters at most.`);
const NO_TASK_NUMBER = "Enter a whole number from 0 to 9.999.";

const MOST_POINTS = 1_000_000;

/** The fields of a campaign, without its id, which never changes. */
const CampaignFields = z.object({
  name: words("a name", 120),
  type: words("a type", 40).default("form"),
  /** Where a member does what the campaign asks for. */
  formUrl: z
    .url({ protocol: /^https$/, error: "The form needs an https address.", abort: true })
    // The database requires this exact spelling; the URL parser is less strict.
    .refine((address) => address.startsWith("https://"), "Begin the address with https:// in small letters.")
    .max(500, "Use 500 characters at most.")
    .meta({ description: "An https address" }),
  bonusPoints: z
    .number()
    .positive("It must give points.")
    .max(MOST_POINTS, `It can give ${MOST_POINTS.toLocaleString("de-DE")} points at most.`)
    // Not `multipleOf`, which lets rounding errors through.
    .refine((points) => roundPoints(points) === points, "Points have two decimals at most."),
  mandatory: z.boolean().default(false),
  buttonText: words("a text for the button", 40).nullable().default(null),
  /** Its position among the campaigns. */
  taskNumber: z.number(NO_TASK_NUMBER).int(NO_TASK_NUMBER).min(0, NO_TASK_NUMBER).max(9999, NO_TASK_NUMBER),
  /** When it starts; null if it has always been running. */
  startsAt: Instant.nullable().default(null),
  /** When it ends; null if it never does. */
  endsAt: Instant.nullable().meta({ description: "After `startsAt`" }).default(null),
});

/** The id of an existing campaign. Less strict than for a new one: older campaigns were created by hand. */
export const CampaignId = z.string().regex(/^[^\p{Cc}]{1,64}$/u, "That is not the id of a campaign.");

const endsAfterStart = ({ startsAt, endsAt }: { startsAt: string | null; endsAt: string | null }) =>
  !startsAt || !endsAt || new Date(startsAt) < new Date(endsAt);
const BACKWARDS = { error: "It must end after it starts.", path: ["endsAt"] };

/** All fields of a campaign, as they may be after a change. */
export const CampaignState = CampaignFields.refine(endsAfterStart, BACKWARDS);
export type CampaignState = z.output<typeof CampaignState>;

export const NewCampaign = z
  .object({
    id: z
      .string("Enter an id.")
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "An id has lowercase letters, digits and hyphens, 64 at most.")
      .refine((id) => id !== HEARTBEAT_REWARD_ID, "That is the id of the reward for heartbeats."),
    ...CampaignFields.shape,
    emailMembers: z
      .boolean()
      .default(true)
      .meta({ description: "Whether members who get campaign emails are told when it starts" }),
  })
  .refine(endsAfterStart, BACKWARDS);
export type NewCampaign = z.output<typeof NewCampaign>;

const { name, type, formUrl, bonusPoints, mandatory, buttonText, taskNumber, startsAt, endsAt } = CampaignFields.shape;

/** The fields to change; those left out stay as they are. */
export const CampaignChange = z.object({
  name: name.optional(),
  type: type.unwrap().optional(),
  formUrl: formUrl.optional(),
  bonusPoints: bonusPoints.optional(),
  mandatory: mandatory.unwrap().optional(),
  buttonText: buttonText.unwrap().optional(),
  taskNumber: taskNumber.optional(),
  startsAt: startsAt.unwrap().optional(),
  endsAt: endsAt.unwrap().optional(),
  /** The `seen` of the campaign that was read: CONFLICT if it has changed since. If left out, nothing is compared. */
  seen: z.string().max(64).optional(),
});
export type CampaignChange = z.output<typeof CampaignChange>;

export const Campaign = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    formUrl: z.string(),
    bonusPoints: z.number(),
    mandatory: z.boolean(),
    buttonText: z.string().nullable(),
    taskNumber: z.number().int(),
    startsAt: z.iso.datetime().nullable(),
    endsAt: z.iso.datetime().nullable(),
    state: z.enum(["scheduled", "running", "ended"]),
  })
  .meta({ id: "Campaign" });
export type Campaign = z.infer<typeof Campaign>;

/** Reports that a member did what a campaign asks, now or at the given time. */
export const Completion = z.object({
  member: MemberName,
  campaignId: CampaignId,
  completedAt: Instant.optional(),
});
export type Completion = z.output<typeof Completion>;

/** The most completions in one call. */
export const MAX_COMPLETIONS = 500;

export const Completions = z.object({
  completions: z
    .array(Completion)
    .min(1, "Name at least one completion.")
    .max(MAX_COMPLETIONS, `Name at most ${MAX_COMPLETIONS} completions.`),
});
export type Completions = z.output<typeof Completions>;

/**
 * "recorded" and "already" mean success; with all others, nothing was recorded. "own" is for a completion of the
 * administrator who records it.
 */
export const CompletionOutcome = z.enum([
  "recorded",
  "already",
  "unknown-member",
  "unknown-campaign",
  "not-running",
  "in-future",
  "own",
  "invalid",
]);
export type CompletionOutcome = z.infer<typeof CompletionOutcome>;

const Result = z.object({ outcome: CompletionOutcome, message: z.string() });

export const CompletionResults = z
  .object({
    recorded: z.number().int(),
    /** In the order of the completions. */
    results: z.array(Result),
  })
  .meta({ id: "CompletionResults" });
export type CompletionResults = z.infer<typeof CompletionResults>;

/** The most characters in a file: a few thousand lines. */
export const MAX_CHARACTERS = 200_000;

/** What ends a line of such a file: spreadsheets on a Mac may write a lone carriage return. */
export const LINE_END = /\r\n?|\n/;

/** The text of a file. Read as UTF-8, a spreadsheet's "Unicode Text", which is in UTF-16, has a U+0000 in it. */
export const FileText = z
  .string()
  .refine((text) => !text.includes("\0"), "The file is not in UTF-8. Save it as CSV UTF-8 and choose it again.");

export const CompletionFile = z.object({
  /** CSV with commas, semicolons or tabs and a first line of column names, or one JSON object per line. */
  format: z.enum(["csv", "jsonl"]),
  text: FileText.max(
    MAX_CHARACTERS,
    `Send ${MAX_CHARACTERS.toLocaleString("de-DE")} characters at most. Send a longer file in parts.`,
  ),
});
export type CompletionFile = z.infer<typeof CompletionFile>;

export const CompletionFileResults = z
  .object({
    recorded: z.number().int(),
    /** Every line that is not empty, with its number in the file. */
    lines: z.array(Result.extend({ line: z.number().int() })),
  })
  .meta({ id: "CompletionFileResults" });
export type CompletionFileResults = z.infer<typeof CompletionFileResults>;

export const CampaignsQuery = z.object({
  after: CampaignId.optional().meta({ description: "The id of the last campaign of the page before" }),
  limit: z.coerce.number().int().min(1).max(100).optional().meta({ description: "All of them where it is left out" }),
});
export type CampaignsQuery = z.output<typeof CampaignsQuery>;

/** How far members are counted: higher numbers are shown as this many or more. */
export const MAX_COUNTED = 10_000;

const CampaignEmails = z.object({
  /** "sending" also while it waits, as for a start that was postponed. "done" with its end, even if some are left. */
  state: z.enum(["off", "waiting", "sending", "done"]),
  /** How many members have been emailed so far. */
  members: z.number().int(),
});
export type CampaignEmails = z.infer<typeof CampaignEmails>;

export const CampaignDetail = z
  .object({
    campaign: Campaign,
    /** How many members have completed it, and how many have claimed their points. 10,000 means that many or more. */
    completed: z.number().int(),
    claimed: z.number().int(),
    /** Missing in the answer of an older backend. */
    emails: CampaignEmails.optional(),
    /** A fingerprint of the campaign, to send with a change. */
    seen: z.string(),
  })
  .meta({ id: "CampaignDetail" });
export type CampaignDetail = z.infer<typeof CampaignDetail>;

const MadeCompletion = z.object({
  member: z.object({ id: z.string(), email: z.string().nullable() }),
  completedAt: z.iso.datetime(),
  claimedAt: z.iso.datetime().nullable(),
});

/** A page of completions, latest first. */
export const CampaignCompletions = listPage(MadeCompletion).meta({ id: "CampaignCompletions" });
export type CampaignCompletions = z.infer<typeof CampaignCompletions>;

const params = z.object({ id: CampaignId });

export const readCampaigns = endpoint("GET /api/admin/campaigns", {
  access: "administrator",
  summary: "Every campaign, running or not, by task number",
  query: CampaignsQuery,
  response: z.array(Campaign),
});

export const readCampaign = endpoint("GET /api/admin/campaigns/{id}", {
  access: "administrator",
  summary: "A campaign, and how many members have completed and claimed it",
  params,
  response: CampaignDetail,
  fails: ["NOT_FOUND"],
});

export const readCampaignCompletions = endpoint("GET /api/admin/campaigns/{id}/completions", {
  access: "administrator",
  summary: "Who has completed a campaign, and when they claimed their points",
  params,
  query: ListQuery,
  response: CampaignCompletions,
  fails: ["NOT_FOUND"],
});

export const createCampaign = endpoint("POST /api/admin/campaigns", {
  access: "administrator",
  summary: "Create a campaign",
  body: NewCampaign.safeExtend(because),
  response: Campaign,
  fails: ["CONFLICT"],
});

export const changeCampaign = endpoint("POST /api/admin/campaigns/{id}", {
  access: "administrator",
  summary: "Change a campaign, or when it runs; with `seen`, CONFLICT where it was changed since it was read",
  params,
  body: CampaignChange.extend(because),
  response: Campaign,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const endCampaign = endpoint("POST /api/admin/campaigns/{id}/end", {
  access: "administrator",
  summary: "End a campaign now",
  params,
  body: z.object(because),
  response: Campaign,
  fails: ["NOT_FOUND"],
});

export const recordCompletions = endpoint("POST /api/admin/completions", {
  access: "administrator",
  summary: "Record that members have completed campaigns",
  body: Completions.extend(because),
  response: CompletionResults,
});

export const importCompletions = endpoint("POST /api/admin/completions/file", {
  access: "administrator",
  summary: "Record the completions of a file",
  body: CompletionFile.extend(because),
  response: CompletionFileResults,
});

export const receiveCompletions = endpoint("POST /api/webhooks/campaign-completions", {
  access: "anyone",
  summary:
    "Report completed campaigns from outside, signed according to Standard Webhooks: all of them are recorded, or none",
  headers: WebhookHeaders,
  body: Completions,
  response: z.object({
    recorded: z.number().int(),
    /** Whether a message with this id was received before: then nothing was done. */
    duplicate: z.boolean(),
  }),
  fails: ["BAD_SIGNATURE"],
});
