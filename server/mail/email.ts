import { brand } from "../../brand.ts";

/**
 * The content of a mail before it is rendered. Links are paths, because only the delivery knows the product's address.
 */
export type EmailContent = {
  to: string;
  /** The address that the email's member signs in with, if the email goes to another one of theirs, or a former one. */
  of?: string;
  subject: string;
  paragraphs: string[];
  /** Shown large, for the reader to type. */
  code?: string;
  action?: { label: string; path: `/${string}` };
  /** What the email is about. A newer email about the same matter makes this one out of date. */
  matter?: string;
  /** Small print at the end: what to do with an unexpected email. */
  note: string;
  /** The unsubscribe link, for mail that the member did not cause. `oneClick` if a POST to it is enough. */
  unsubscribe?: { label: string; path: `/${string}`; oneClick?: true };
};

/** A rendered email. */
export type RenderedEmail = {
  /** The same for every attempt at one email, so that the receiver can recognise a repeat. */
  id: string;
  /** When the email was queued: "one day" and "for 1 hour" count from then, however late it is sent. */
  writtenAt?: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  code?: string;
  link?: string;
  /**
   * The address of the page that ends this kind of mail. A mail program can send a POST to it (RFC 8058) if `oneClick`
   * is set.
   */
  unsubscribe?: string;
  oneClick?: true;
};

/** The small print of a notice to a member. */
export const ABOUT_ACCOUNT = `You received this email because you have an account at ${brand.name}.`;

const instant = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Formats a time as `21 November 2026, 02:31 UTC`. The reader's time zone is not known here. */
export const describeInstant = (at: Date): string => `${instant.format(at).replace(" at ", ", ")} UTC`;
