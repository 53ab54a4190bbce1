import { GiveUp } from "../jobs/job.ts";
import type { Mail } from "./letter.ts";

/** A way out for mail. */
export type MailTransport = {
  /** Resolves once the mail is somebody else's responsibility. Throws MailRefused where trying again is useless. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** The receiving side will never take this mail: no such mailbox, for instance. */
export class MailRefused extends GiveUp {
  override name = "MailRefused";
}

/** Nobody is to answer these with an automatic reply. */
export const HEADERS = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };
