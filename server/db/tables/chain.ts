import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, uint256 } from "../columns.ts";
import { memberId } from "./users.ts";

/** One transaction requested for a member, and its progress. The row is written before anything is sent. */
export const chainJobs = pgTable(
  "chain_jobs",
  {
    id: uuid("id").primaryKey(),
    userId: memberId(),
    kind: text("kind", { enum: ["deploy", "execute"] }).notNull(),
    state: text("state", {
      enum: ["queued", "signed", "sent", "mined", "completed", "finalized", "failed"],
    }).notNull(),
    /** The wallet that agreed (in lower case), the digest it signed, and its signature. */
    owner: text("owner").notNull(),
    consentDigest: text("consent_digest").notNull(),
    consentNonce: uint256("consent_nonce").notNull(),
    consentSignature: text("consent_signature").notNull(),
    /** The factory's nonce. The factory accepts each one once, however often the transaction is sent. */
    stationNonce: uint256("station_nonce").notNull(),
    /** For `execute`: what to call, and on which machine. For `deploy`: the machine that results. */
    machineAddress: text("machine_address"),
    target: text("target"),
    calldata: text("calldata"),
    /** What the record of a failed `execute` attests (machine-id.ts), in case the network has that record after all. */
    emailSalt: bytes("email_salt"),
    emailSignature: text("email_signature"),
    sender: text("sender"),
    senderNonce: bigint("sender_nonce", { mode: "number" }),
    /** The signed transaction as sent to the network. It may be sent again. */
    rawTx: text("raw_tx"),
    txHash: text("tx_hash"),
    /** Hashes of the transactions that this one replaced. Any of them may be the one that gets mined. */
    replacedHashes: text("replaced_hashes").array().notNull().default([]),
    /** The transaction cannot be in a block before this one. */
    sinceBlock: bigint("since_block", { mode: "number" }),
    /** The latest block when the transaction was signed. The fee is not raised until there is a newer one. */
    signedBlock: bigint("signed_block", { mode: "number" }),
    blockHash: text("block_hash"),
    blockNumber: bigint("block_number", { mode: "number" }),
    errorName: text("error_name"),
    /** How many checks in a row found nothing. The queue counts failed requests. */
    attempts: integer("attempts").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    sentAt: instant("sent_at"),
    completedAt: instant("completed_at"),
    failedAt: instant("failed_at"),
  },
  (table) => [
    uniqueIndex("chain_jobs_consent_digest_unique").on(table.consentDigest),
    uniqueIndex("chain_jobs_station_nonce_unique").on(table.stationNonce),
    /** Each member has at most one account and one identity, in progress or completed. */
    uniqueIndex("chain_jobs_active_unique")
      .on(table.userId, table.kind)
      .where(sql`${table.state} <> 'failed'`),
    uniqueIndex("chain_jobs_sender_nonce_unique").on(table.sender, table.senderNonce),
    index("chain_jobs_by_state").on(table.state, table.id),
    index("chain_jobs_by_user").on(table.userId, table.createdAt),
    check("chain_jobs_kind", sql`${table.kind} in ('deploy', 'execute')`),
  ],
);

/** The accounts that send transactions. Lock an account's row to take its next nonce. */
export const chainSenders = pgTable("chain_senders", {
  address: text("address").primaryKey(),
  lastNonce: bigint("last_nonce", { mode: "number" }),
});

/** The embedded ledger's Smart Accounts. */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    address: text("address").primaryKey(),
    factory: text("factory").notNull(),
    owner: text("owner").notNull(),
    nonce: uint256("nonce").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("ledger_accounts_nonce_unique").on(table.factory, table.owner, table.nonce)],
);

/** The embedded ledger's identity records. */
export const ledgerAttributes = pgTable(
  "ledger_attributes",
  {
    account: text("account").notNull(),
    name: bytes("name").notNull(),
    value: bytes("value").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.name] })],
);
