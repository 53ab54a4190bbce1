import { sql } from "drizzle-orm";
import {
  check,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
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

/** What a section of a document holds: paragraphs, and lists of points. */
type StoredSection = { id: string; title: string; text: (string | string[])[] };

/** A version of a document that was published after those in the code. Triggers refuse update, delete and truncate. */
export const legalVersions = pgTable(
  "legal_versions",
  {
    document: text("document", { enum: ["tos", "pp"] }).notNull(),
    version: smallint("version").notNull(),
    /** The first UTC day on which it holds. */
    effectiveFrom: date("effective_from", { mode: "string" }).notNull(),
    title: text("title").notNull(),
    changes: text("changes").notNull(),
    sections: jsonb("sections").$type<StoredSection[]>().notNull(),
    /** SHA-256 of the document's text. */
    textHash: bytes("text_hash").notNull(),
    publishedAt: instant("published_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.document, table.version] }),
    uniqueIndex("legal_versions_day_unique").on(table.document, table.effectiveFrom),
    check("legal_versions_document", sql`${table.document} in ('tos', 'pp')`),
  ],
);

/** What is being written: one a document. */
export const legalDrafts = pgTable(
  "legal_drafts",
  {
    document: text("document", { enum: ["tos", "pp"] }).primaryKey(),
    title: text("title").notNull(),
    changes: text("changes").notNull(),
    /** As it was typed: headings, paragraphs and points. */
    source: text("source").notNull(),
    /** The first UTC day on which it is to hold. */
    effectiveFrom: date("effective_from", { mode: "string" }).notNull(),
    /** Which one was seen by whoever saves, publishes or discards it. */
    revision: integer("revision").notNull(),
    savedAt: instant("saved_at").notNull(),
    savedBy: uuid("saved_by"),
  },
  (table) => [check("legal_drafts_document", sql`${table.document} in ('tos', 'pp')`)],
);
