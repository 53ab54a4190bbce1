import { getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "./schema.ts";

/** How a table grows, and for how long what is in it is kept. Whoever adds a table says it here. */
export const GROWTH: Readonly<Record<string, { grows: string; kept: string }>> = {
  users: { grows: "a row a member", kept: "for ever: the ledger refers to it; emptied with the account" },
  points_ledger: {
    grows: "a row an event",
    kept: "for ever: it explains every total; rows of heartbeats for LEDGER_RETENTION_MONTHS where that is set",
  },
  ledger_days: { grows: "a row a member and day", kept: "for ever: the sums of ledger rows that were removed" },
  points_totals: { grows: "a row a member", kept: "for ever" },
  points_daily: { grows: "up to four rows a member and day", kept: "for ever: the sums that charts show" },
  heartbeats: { grows: "a row a member and interval", kept: "HEARTBEAT_RETENTION_MONTHS" },
  heartbeat_months: { grows: "a row a member and month", kept: "for ever: the sums of heartbeats that were removed" },
  heartbeat_totals: { grows: "a row a member", kept: "for ever" },
  refused_beats: { grows: "100 rows a member at most", kept: "REFUSED_BEAT_RETENTION_DAYS" },
  node_devices: { grows: "a row a key", kept: "with the account: the log names a revoked machine, too" },
  referrals: { grows: "a row a friend", kept: "for ever: entries of the ledger refer to it" },
  invited_mailboxes: { grows: "a row a friend", kept: "with the account" },
  referral_totals: { grows: "a row a member", kept: "for ever" },
  campaigns: { grows: "by hand", kept: "for ever: what was completed can be claimed for ever" },
  campaign_submissions: { grows: "a row a member and campaign", kept: "with the account: each is paid once" },
  jobs: { grows: "a row a finished job", kept: "JOB_RETENTION_DAYS" },
  jobs_daily: { grows: "a row a member and day", kept: "with the account" },
  jobs_network_daily: { grows: "16 rows a day", kept: "for ever" },
  content_contributions: {
    grows: "a row an item",
    kept: "with the account: each is paid once, whenever it comes again",
  },
  content_totals: { grows: "a row a member", kept: "with the account" },
  sessions: { grows: "a row a sign-in", kept: "30 days, or 14 without use" },
  known_devices: { grows: "a row a browser", kept: "a year after its last use" },
  security_events: { grows: "a row a sign-in", kept: "SECURITY_RETENTION_DAYS; 30 days where they name nobody" },
  sign_ups: { grows: "a row a sign-up", kept: "a day" },
  password_resets: { grows: "a row a mail", kept: "an hour and a quarter" },
  campaign_emails: { grows: "a row a member", kept: "a day" },
  email_changes: { grows: "a row a member", kept: "a day" },
  bot_check_uses: { grows: "a row a form", kept: "as long as its token" },
  wallet_nonce_uses: { grows: "a row a signature", kept: "as long as its message" },
  rate_limits: { grows: "a row for whatever is limited", kept: "until nothing of the limit is used up" },
  account_deletions: { grows: "a row a member who leaves", kept: "14 days, with the account" },
  departed_mailboxes: { grows: "a row a deleted account", kept: "for ever: nobody is paid twice for a friend" },
  legal_acceptances: { grows: "a row a member and version", kept: "with the account: it shows what was agreed to" },
  silence_mails: { grows: "a row a member", kept: "with the account" },
  chain_jobs: { grows: "a row a transaction", kept: "with the account: nonces keep things from happening twice" },
  chain_senders: { grows: "a row a key of the station", kept: "for ever" },
  ledger_accounts: { grows: "a row a member, without a chain", kept: "with the account" },
  ledger_attributes: { grows: "a row a member, without a chain", kept: "with the account" },
  machine_identities: { grows: "a row a member", kept: "with the account" },
  background_jobs: { grows: "a row until it is done", kept: "DEAD_JOB_RETENTION_DAYS where it was given up" },
  administrators: { grows: "by hand", kept: "until they are removed" },
  audit_entries: { grows: "a row a change by an administrator or operator", kept: "for ever: it shows who did what" },
  webhook_messages: { grows: "a row a message", kept: "as long as it could be sent again" },
  status_samples: { grows: "a row a part and minute", kept: "3 days" },
  status_days: { grows: "a row a part and day", kept: "90 days, and the last one before" },
  status_incidents: { grows: "by hand", kept: "90 days after it is over" },
  status_updates: { grows: "by hand", kept: "with its incident" },
  webhook_endpoints: { grows: "by hand", kept: "for ever, without its secrets once it is removed" },
  webhook_events: { grows: "a row an event", kept: "30 days" },
  webhook_deliveries: { grows: "a row an event and webhook", kept: "with its event" },
  adjustment_requests: { grows: "a row a request", kept: "for ever: it shows who approved points" },
  adjustment_allowances: { grows: "a row an administrator", kept: "for ever" },
  legal_versions: { grows: "by hand", kept: "for ever: it shows what was agreed to" },
  legal_drafts: { grows: "a row a document", kept: "until it is published or discarded" },
  network_days: { grows: "a row a day", kept: "for ever" },
  former_keys: { grows: "a row a change of the secret", kept: "for ever: what was hashed with it does not expire" },
  monthly_tables: { grows: "a row a table", kept: "for ever" },
};

/** What is to become of each unique key that does not hold the member, before the tables are spread over machines. */
export const KEYS_IN_THE_WAY: Readonly<Record<string, string>> = {
  users_email_key_unique: "a table `email_keys`, spread by the address, written first in the transaction of a sign-up",
  users_provider_subject_unique: "a table `provider_subjects`, as for addresses",
  users_personal_code_unique: "a table `personal_codes`, which is also what an invitation looks up",
  users_wallet_unique: "a table `wallets`, as for addresses",
  referrals_invitee_unique: "a row a friend in a table spread by the friend; `referrals` stays with who invited",
  adjustment_requests_pkey: "(user_id, id)",
  chain_jobs_pkey: "(user_id, id)",
  chain_jobs_consent_digest_unique: "(user_id, consent_digest): a wallet is one member's",
  chain_jobs_station_nonce_unique: "(user_id, station_nonce): 256 random bits, or the nonce that the member signed",
  chain_jobs_sender_nonce_unique: "a table `sender_nonces`, on the machine that has `chain_senders`",
};

/** Tables of nobody's, and how they are spread: with every machine, by their own key, or on one machine. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  campaigns: "on every machine",
  chain_senders: "on one machine",
  ledger_accounts: "on one machine: a stand-in for a chain",
  ledger_attributes: "on one machine: a stand-in for a chain",
  password_resets: "on one machine: rows of an hour",
  sign_ups: "on one machine: rows of a day",
};

type Spread = {
  table: string;
  /** The column it is spread by. */
  by: string | undefined;
  /** Whether that is the member's, whose other rows are on the same machine. */
  isMembers: boolean;
  /** Unique keys that do not hold that column. */
  inTheWay: string[];
  /** Where its rows are otherwise. */
  elsewhere: string | undefined;
};

export const tables: PgTable[] = Object.values(schema).filter((each) => is(each, PgTable));

/** How each table can be spread over several machines, from the schema itself. */
export const listSpreads = (): Spread[] => tables.map(spread);

function spread(table: PgTable): Spread {
  const { name } = getTableConfig(table);
  const keys = listUniqueKeys(table);
  const primary = keys[0]?.columns ?? [];
  const member = findMember(table, primary);
  const elsewhere = member ? undefined : ELSEWHERE[name];
  const by = elsewhere ? undefined : (member ?? primary[0]);
  const inTheWay = by ? keys.filter(({ columns }) => !columns.includes(by)).map((key) => key.name) : [];
  return { table: name, by, isMembers: member !== undefined, inTheWay, elsewhere };
}

/** The column that names whose row it is: of two members that a row has, the one that its primary key begins with. */
function findMember(table: PgTable, primary: string[]): string | undefined {
  const { columns, foreignKeys, name } = getTableConfig(table);
  if (name === "users") return "id";
  const named = foreignKeys
    .map((key) => key.reference())
    .filter(({ foreignTable }) => getTableName(foreignTable) === "users")
    .flatMap((key) => key.columns.map((column) => column.name));
  return (
    named.find((column) => column === primary[0]) ??
    named[0] ??
    columns.find((column) => column.name === "user_id" && column.notNull)?.name
  );
}

/** The primary key first. A key over an expression has none of the columns. */
function listUniqueKeys(table: PgTable): { name: string; columns: string[] }[] {
  const { columns, indexes, name, primaryKeys } = getTableConfig(table);
  const single = columns.filter((column) => column.primary).map((column) => column.name);
  const primary = primaryKeys.map((key) => key.columns.map((column) => column.name));
  const unique = indexes.filter(({ config }) => config.unique);
  return [
    ...[...(single.length > 0 ? [single] : []), ...primary].map((key) => ({ name: `${name}_pkey`, columns: key })),
    ...unique.map(({ config }) => ({
      name: config.name ?? "",
      columns: config.columns.flatMap((column) => ("name" in column && column.name) || []),
    })),
  ];
}
