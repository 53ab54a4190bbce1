import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, uint256 } from "../columns.ts";
import { memberId } from "./users.ts";

/** What a member is asked to sign for the Machine ID, and the result. One row per member. */
export const machineIdentities = pgTable("machine_identities", {
  userId: memberId().primaryKey(),
  id: uuid("id").notNull(),
  owner: text("owner").notNull(),
  machineAddress: text("machine_address").notNull(),
  didName: text("did_name").notNull(),
  tag: text("tag").notNull(),
  target: text("target").notNull(),
  calldata: text("calldata").notNull(),
  nonce: uint256("nonce").notNull(),
  /**
   * A salt that was combined with the email address before signing, so that nobody can test addresses against the
   * signature.
   */
  emailSalt: bytes("email_salt").notNull(),
  emailSignature: text("email_signature").notNull(),
  requestedAt: instant("requested_at").notNull(),
  ownerSignature: text("owner_signature"),
  signedAt: instant("signed_at"),
});
