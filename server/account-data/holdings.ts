import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import * as schema from "../db/schema.ts";
import type { DataSection } from "./contract.ts";

/** The member whose rows are meant. `email` is normalized for comparison. */
export type Owner = { userId: string; email: string };

/** A table with rows about members. Columns are named as in the database. */
export type Holding = {
  table: PgTable;
  /** Selects a member's rows, if they are not those with their `user_id`. */
  mine?: (owner: Owner) => SQL;
  /** Columns that, with the member, identify a row. An index has them in this order. */
  keys: readonly string[];
  /** Columns that the member does not get to see, and why. */
  withheld?: Record<string, string>;
  /** Fields that replace references to other members, made from the row `t`. */
  added?: SQL;
  /** Why the rows stay when the account is deleted. Rows without a reason are deleted. */
  kept?: string;
};

const SECRET = "opens something";
const PASSWORD_TIME = "when an administrator is to give the password again";
const PLACE = "a place in the database's own log";
const SAME = "the same in another spelling";
const PUBLIC = "on the chain for everybody, and in the member's timeline";
const RECORD = "the identity document, which stands in machine_identity";
const machinesOf = (userId: string) =>
  sql`(select lower(machine_address) from ${schema.chainJobs} where user_id = ${userId} and machine_address is not null)`;
const SUMS = "sums of the ledger, which is kept";

/** Everything that is kept about members, by its name in their export. */
export const HOLDINGS: Record<Exclude<DataSection, "waiting_mail">, Holding> = {
  profile: {
    table: schema.users,
    mine: ({ userId }) => sql`id = ${userId}`,
    keys: ["id"],
    withheld: { password_hash: SECRET, email_key: SAME, mailbox_key: SAME },
    kept: "the ledger refers to it; everything personal is taken out of it (erase.queries.ts)",
  },
  acceptances: {
    table: schema.legalAcceptances,
    keys: ["document", "version"],
    withheld: { text_hash: "of a text that is public" },
  },
  sessions: {
    table: schema.sessions,
    keys: ["id"],
    withheld: { token_hash: SECRET, provider_session: SECRET, password_at: PASSWORD_TIME, reads_from: PLACE },
  },
  known_devices: {
    table: schema.knownDevices,
    keys: ["token_hash"],
    withheld: { token_hash: SECRET },
  },
  security_activity: { table: schema.securityEvents, keys: ["id"] },
  sign_ups: {
    table: schema.signUps,
    mine: ({ email }) => sql`lower(email) = ${email}`,
    keys: ["id"],
    withheld: {
      token_hash: SECRET,
      link_hash: SECRET,
      code_hash: SECRET,
      password_hash: SECRET,
      sealed_password: SECRET,
      device_hash: SECRET,
    },
  },
  password_resets: {
    table: schema.passwordResets,
    mine: ({ email, userId }) => sql`(user_id = ${userId} or lower(email) = ${email})`,
    keys: ["id"],
    withheld: { token_hash: SECRET, link_hash: SECRET, recovery_hash: SECRET, provider_session: SECRET },
  },
  campaign_emails: {
    table: schema.campaignEmails,
    keys: ["id"],
    withheld: { token_hash: SECRET, code_hash: SECRET },
  },
  email_changes: {
    table: schema.emailChanges,
    keys: ["id"],
    withheld: { code_hash: SECRET },
  },
  deletion: { table: schema.accountDeletions, keys: ["due_at"] },
  devices: { table: schema.nodeDevices, keys: ["id"], withheld: { key_hash: SECRET } },
  silence_mail: { table: schema.silenceMails, keys: ["user_id"] },
  refused_beats: {
    table: schema.refusedBeats,
    keys: ["claimed_at", "reason", "device_id"],
  },
  points_ledger: {
    table: schema.pointsLedger,
    keys: ["id"],
    kept: "no point is ever taken out of the ledger; its words go (anonymous_comment in SQL)",
  },
  ledger_days: { table: schema.ledgerDays, keys: ["day", "category"], kept: SUMS },
  points_totals: { table: schema.pointsTotals, keys: ["user_id"], kept: SUMS },
  points_daily: { table: schema.pointsDaily, keys: ["day", "category"], kept: SUMS },
  heartbeats: {
    table: schema.heartbeats,
    keys: ["slot_at"],
    kept: "each stands behind an entry of the ledger; which machine sent it goes",
  },
  heartbeat_totals: {
    table: schema.heartbeatTotals,
    keys: ["user_id"],
    kept: "sums of the heartbeats, which are kept",
  },
  heartbeat_months: {
    table: schema.heartbeatMonths,
    keys: ["month"],
    kept: "sums of heartbeats that stood behind entries of the ledger",
  },
  referrals: {
    table: schema.referrals,
    mine: ({ userId }) => sql`inviter_id = ${userId}`,
    keys: ["id"],
    withheld: { invitee_id: "another member", held_reason: "how invitations are screened" },
    // As on the referrals page, which hides friends whose invitation was refused.
    added: sql`jsonb_build_object('friend_email', (
      select email from users
      where users.id = t.invitee_id and deleted_at is null and t.review is distinct from 'refused'
    ))`,
    kept: "behind entries of the ledger, here and of friends",
  },
  invitation: {
    table: schema.referrals,
    mine: ({ userId }) => sql`invitee_id = ${userId}`,
    keys: ["id"],
    withheld: { inviter_id: "another member", held_reason: "how invitations are screened" },
    kept: "behind entries of the inviter's ledger; the inviter sees 'Anonymous'",
  },
  referral_totals: {
    table: schema.referralTotals,
    keys: ["user_id"],
    kept: "sums of the referrals, which are kept",
  },
  submissions: { table: schema.campaignSubmissions, keys: ["campaign_id"] },
  contributions: { table: schema.contentContributions, keys: ["id"] },
  contribution_totals: { table: schema.contentTotals, keys: ["user_id"] },
  jobs: { table: schema.jobs, keys: ["id"] },
  jobs_daily: { table: schema.jobsDaily, keys: ["day"] },
  administrator: {
    table: schema.administrators,
    keys: ["user_id"],
    withheld: { added_by: "another member" },
  },
  administration: {
    table: schema.auditEntries,
    mine: ({ userId }) => sql`(subject = 'member' and subject_id = ${userId})`,
    keys: ["id"],
    withheld: { actor_id: "another member" },
    // For an approval, the details name the administrator who asked for it.
    added: sql`jsonb_build_object('details', t.details - 'requestedBy')`,
    kept: "what was done in somebody else's name is never rewritten; it names members by their ids alone",
  },
  adjustment_requests: {
    table: schema.adjustmentRequests,
    keys: ["id"],
    withheld: {
      key: "how administrators tell one request from another",
      requested_by: "another member",
      decided_by: "another member",
    },
  },
  // Before chain_jobs, whose rows say which of these are a member's.
  ledger_attributes: {
    table: schema.ledgerAttributes,
    mine: ({ userId }) => sql`account in ${machinesOf(userId)}`,
    keys: ["account", "name"],
    withheld: { name: RECORD, value: RECORD },
  },
  ledger_accounts: {
    table: schema.ledgerAccounts,
    mine: ({ userId }) => sql`address in ${machinesOf(userId)}`,
    keys: ["address"],
  },
  chain_jobs: {
    table: schema.chainJobs,
    keys: ["created_at", "id"],
    withheld: { tx_hash: PUBLIC, block_hash: PUBLIC, replaced_hashes: PUBLIC, email_salt: SECRET },
  },
  machine_identity: {
    table: schema.machineIdentities,
    keys: ["user_id"],
    withheld: { email_salt: SECRET },
  },
};

/** The other tables, and why nothing in them belongs to a member. */
export const NOT_HELD: [table: PgTable, why: string][] = [
  [schema.monthlyTables, "names of tables"],
  [schema.webhookMessages, "ids of messages from outside"],
  [schema.webhookEndpoints, "who outside is told of what happens"],
  [schema.webhookEvents, "what the rows above say already, by the member's id; gone within 30 days"],
  [schema.webhookDeliveries, "whether others were told"],
  [schema.statusSamples, "how the installation is"],
  [schema.statusDays, "how the installation was"],
  [schema.statusIncidents, "what everybody can read"],
  [schema.statusUpdates, "what everybody can read"],
  [schema.adjustmentAllowances, "sums of what administrators did, which the audit log has one by one"],
  [schema.legalVersions, "what everybody can read"],
  [schema.legalDrafts, "what everybody is to read"],
  [schema.campaigns, "what everybody can take part in"],
  [schema.campaignMailings, "how far the emails to all members are: the id that was reached says nothing about it"],
  [schema.networkDays, "sums of all members together"],
  [schema.jobsNetworkDaily, "sums of all members together"],
  [schema.rateLimits, "hashes of what is limited, with a key that is not in the database; gone within hours"],
  [schema.botCheckUses, "tokens of forms, which know no member"],
  [schema.walletNonceUses, "nonces of messages that were signed, gone within minutes"],
  [schema.backgroundJobs, "ids of rows above, and encrypted emails: opened for the export, removed on deletion"],
  [schema.chainSenders, "the station's own accounts"],
  [
    schema.invitedMailboxes,
    "the member's own address again, to wait for a twin; removed with the address, or on deletion",
  ],
  [schema.formerKeys, "keys of the installation"],
  [schema.departedMailboxes, "hashes of what has no member any more"],
];

/** Returns the condition for a member's rows of a holding. */
export const rowsOf = ({ mine }: Holding, owner: Owner): SQL => mine?.(owner) ?? sql`user_id = ${owner.userId}`;
