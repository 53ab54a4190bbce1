import { GiveUp } from "../jobs/job.ts";
import type { RenderedEmail } from "./email.ts";

/** A way to send mail. */
export type MailTransport = {
  /** Resolves once somebody else is responsible for the mail. Throws MailRefused if a retry is useless. */
  send(mail: RenderedEmail): Promise<void>;
  close(): void;
};

/** The receiving side will never accept this mail, for example because there is no such mailbox. */
export class MailRefused extends GiveUp {
  override name = "MailRefused";
}

/** Headers that ask receivers not to send automatic replies. */
export const HEADERS = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };
