import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";
import { memberId } from "./users.ts";

/** Members who may administer, since when, and which administrator added them. That is null if an operator did. */
export const administrators = pgTable("administrators", {
  userId: memberId().primaryKey(),
  since: instant("since").notNull(),
  addedBy: uuid("added_by"),
});

/**
 * What was changed on somebody else's behalf: by whom, about whom or what, and why. Triggers reject update, delete and
 * truncate. Entries refer to members by id alone, so they identify nobody once the account is deleted.
 */
export const auditEntries = pgTable(
  "audit_entries",
  {
    /** Ids sort in the order they were created. */
    id: uuid("id").primaryKey(),
    at: instant("at").notNull(),
    actor: text("actor", { enum: ["administrator", "operator", "webhook"] }).notNull(),
    /** The administrator's id, if the actor is one. */
    actorId: uuid("actor_id"),
    action: text("action").notNull(),
    subject: text("subject", {
      enum: ["member", "campaign", "referral", "job", "document", "incident", "webhook"],
    }).notNull(),
    subjectId: text("subject_id").notNull(),
    reason: text("reason").notNull(),
    details: jsonb("details").notNull().default({}),
  },
  (table) => [
    index("audit_entries_by_subject").on(table.subject, table.subjectId, table.id),
    index("audit_entries_by_actor").on(table.actorId, table.id),
    index("audit_entries_by_action").on(table.action, table.id),
    check("audit_entries_actor", sql`${table.actor} in ('administrator', 'operator', 'webhook')`),
    check("audit_entries_actor_id", sql`(${table.actor} = 'administrator') = (${table.actorId} is not null)`),
    check(
      "audit_entries_subject",
      sql`${table.subject} in ('member', 'campaign', 'referral', 'job', 'document', 'incident', 'webhook')`,
    ),
    check("audit_entries_reason", sql`char_length(${table.reason}) between 1 and 500`),
  ],
);
