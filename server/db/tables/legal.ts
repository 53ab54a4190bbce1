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

/** A member's acceptance of one version of a document, with the hash of the text they were shown. */
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

/** A section of a document: paragraphs, and lists of points. */
type StoredSection = { id: string; title: string; text: (string | string[])[] };

/** A version of a document that was published after those in the code. Triggers reject update, delete and truncate. */
export const legalVersions = pgTable(
  "legal_versions",
  {
    document: text("document", { enum: ["tos", "pp"] }).notNull(),
    version: smallint("version").notNull(),
    /** The first UTC day on which it applies. */
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

/** Drafts of documents: one at most per document. */
export const legalDrafts = pgTable(
  "legal_drafts",
  {
    document: text("document", { enum: ["tos", "pp"] }).primaryKey(),
    title: text("title").notNull(),
    changes: text("changes").notNull(),
    /** The text as typed: headings, paragraphs and points. */
    source: text("source").notNull(),
    /** The first UTC day on which it should apply. */
    effectiveFrom: date("effective_from", { mode: "string" }).notNull(),
    /** Increases with each save. Whoever saves, publishes or discards a draft must have seen the latest revision. */
    revision: integer("revision").notNull(),
    savedAt: instant("saved_at").notNull(),
    savedBy: uuid("saved_by"),
  },
  (table) => [check("legal_drafts_document", sql`${table.document} in ('tos', 'pp')`)],
);
