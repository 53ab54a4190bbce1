import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";

/** How long an account that is to be deleted can still be kept. */
export const DELETION_GRACE_SECONDS = 14 * 24 * 60 * 60;

export const DATA_EXPORT_FORMAT = "nodebeat-data-export";
/** Increases when a section or a column is renamed, changes its meaning or is left out. */
export const DATA_EXPORT_VERSION = 1;

/** A row as stored: a value for each column, instants in ISO 8601, points with two decimals. */
const Row = z.record(z.string(), z.unknown());
const rows = (description: string) => z.array(Row).meta({ description });

/**
 * Everything that is kept about a member, by section. Leaves out hashes, tokens and other secrets, and who other
 * members are.
 */
export const DataSections = z.object({
  profile: rows("The account: one row, with the addresses, names, handles, wallet and settings"),
  acceptances: rows("Which version of the Terms of Service (tos) and Privacy Policy (pp) was accepted, and when"),
  sessions: rows("Where the member is signed in, or was until lately"),
  known_devices: rows("Browsers that the member signed in with: when they were first and last used"),
  security_activity: rows("What happened to the account, for at least a year"),
  sign_ups: rows("Sign-ups with the member's address, for a day"),
  password_resets: rows("Requests for a new password, for an hour"),
  campaign_emails: rows("The address for campaign emails that waits for its code"),
  email_changes: rows("The new email to sign in with that waits for its code"),
  waiting_mail: rows("Emails to the member that have not been sent yet: their subjects and times"),
  deletion: rows("Until when the member can keep an account that they asked to delete"),
  devices: rows("The member's machines, with or without a key that works"),
  silence_mail: rows(
    "Whether the member gets an email when their machines are silent, and for which silence they got one",
  ),
  refused_beats: rows("Heartbeats that did not count lately, and why"),
  points_ledger: rows("Every point: its category, event, rule and words"),
  ledger_days: rows("The points by UTC day and category of heartbeats whose rows are no longer in the ledger"),
  points_totals: rows("The points by category"),
  points_daily: rows("The points by UTC day and category"),
  heartbeats: rows("Every heartbeat that counted, for the months that are kept one by one"),
  heartbeat_months: rows("How many heartbeats counted in each of the months before those"),
  heartbeat_totals: rows("How many heartbeats there are"),
  referrals: rows("Friends who joined with the member's link, with the address that the referrals page shows"),
  invitation: rows("The invitation that the member joined with"),
  referral_totals: rows("How many friends there are, and the points for them"),
  submissions: rows("Campaigns the member has taken part in"),
  contributions: rows("Profiles, comments and posts that the member's machines gathered"),
  contribution_totals: rows("How many profiles, comments and posts there are"),
  jobs: rows("Finished jobs of the member's machines; sizes in bytes"),
  jobs_daily: rows("The jobs by UTC day"),
  administrator: rows("Since when the member is an administrator, for those who are"),
  administration: rows("What was changed about the member in somebody else's name, and why"),
  adjustment_requests: rows("Adjustments of points that need a second administrator"),
  ledger_attributes: rows("The records of the member's account on the ledger that stands in for a chain"),
  ledger_accounts: rows("The member's Smart Account on that ledger"),
  chain_jobs: rows("What was put on the identity network for the member, as it was signed and sent"),
  machine_identity: rows("The Machine ID as it was asked for and signed"),
});
export type DataSection = keyof z.infer<typeof DataSections>;

export const DataExport = z
  .object({
    format: z.literal(DATA_EXPORT_FORMAT),
    version: z.literal(DATA_EXPORT_VERSION),
    exported_at: z.iso.datetime(),
    ...DataSections.shape,
  })
  .meta({ id: "DataExport" });

export const exportData = endpoint("GET /api/users/data-export", {
  summary: "Everything that is kept about the member, as a file",
  mediaType: "application/json",
  response: DataExport,
  fails: ["TOO_MANY_ATTEMPTS"],
});

export const RequestDeletionInput = z.object({
  password: z.string("Enter your password.").min(1, "Enter your password.").max(1024, "That is not your password."),
  understood: z.literal(true, "Tick the box to continue."),
});
export type RequestDeletionInput = z.infer<typeof RequestDeletionInput>;

export const DeletionResult = GenericResult.extend({
  /** Until then the account can be kept. */
  deletionDueAt: z.iso.datetime(),
}).meta({ id: "DeletionResult" });
export type DeletionResult = z.infer<typeof DeletionResult>;

export const requestDeletion = endpoint("POST /api/auth/account-deletion", {
  summary:
    "Ask to delete the account after a grace period; ends every other session. Asking again does not change the date",
  body: RequestDeletionInput,
  response: DeletionResult,
  fails: ["TOO_MANY_ATTEMPTS", "UNAVAILABLE"],
});

export const keepAccount = endpoint("POST /api/auth/keep-account", {
  summary: "Keep an account that was to be deleted; has no effect on other accounts",
  response: GenericResult,
});
