import { sql } from "drizzle-orm";
import { check, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";
import { memberId } from "./users.ts";

/** That a member accepted a version of a document: once, with the text they were shown and when. */
export const legalAcceptances = pgTable(
  "legal_acceptances",
  {
    userId: memberId(),
    document: text("document", { enum: ["tos", "pp"] }).notNull(),
    version: smallint("version").notNull(),
    /** SHA-256 of the document's text. */
    textHash: bytes("text_hash").notNull(),
    acceptedAt: instant("accepted_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.document, table.version] }),
    check("legal_acceptances_document", sql`${table.document} in ('tos', 'pp')`),
  ],
);
