import { brand } from "../../brand.ts";

/** What a mail says, before it is given a form. Links are paths: only who delivers knows the product's address. */
export type Letter = {
  to: string;
  /** The address of the member whose letter it is, where it goes to one that they had before. */
  of?: string;
  subject: string;
  paragraphs: string[];
  /** Shown large, to be typed. */
  code?: string;
  action?: { label: string; path: `/${string}` };
  /** What it is about, where a newer letter about the same matter makes this one out of date. */
  matter?: string;
  /** Small print at the end: what to do when the mail was not expected. */
  note: string;
  /** The way out, for mail that is not about the member's own doing; `oneClick` where a POST to it is enough. */
  unsubscribe?: { label: string; path: `/${string}`; oneClick?: true };
};

/** A letter as it leaves. */
export type Mail = {
  /** The same for every attempt at one letter, so that a receiver can tell a repetition. */
  id: string;
  /** When it was queued: "one day" and "for 1 hour" count from then, however late it leaves. */
  writtenAt?: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  code?: string;
  link?: string;
  /** Address of the page that ends mail of this kind, also by a mail program's own POST (RFC 8058) where it says so. */
  unsubscribe?: string;
  oneClick?: true;
};

/** The small print of a notice to a member. */
export const ABOUT_ACCOUNT = `You received this email because you have an account at ${brand.name}.`;

const instant = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** `21 November 2026, 02:31 UTC`: nobody knows the reader's time zone here. */
export const describeInstant = (at: Date): string => `${instant.format(at).replace(" at ", ", ")} UTC`;
