import type { Deps } from "../deps.ts";
import { GiveUp, type Job, type JobKind } from "../jobs/job.ts";
import { MAIL } from "./outbox.queries.ts";
import { renderMail } from "./render.ts";
import type { MailTransport } from "./transport.ts";

export type Delivery = {
  transport: Pick<MailTransport, "send">;
  /** The origin of the links in the mails, without a path. */
  origin: string;
};

/**
 * Creates the job that sends queued mail. Each mail is sent at least once: if a process dies after sending it but
 * before noting that, it is sent again, with the same id and text.
 */
export const createDelivery = (
  { log, metrics, outbox }: Pick<Deps, "log" | "metrics" | "outbox">,
  { origin, transport }: Delivery,
): Record<typeof MAIL, JobKind> => ({
  [MAIL]: {
    atOnce: 10,
    lease: 2 * 60_000,
    backOff: { first: 10_000, longest: 30 * 60_000 },
    async run({ key, payload, attempts }: Job) {
      const email = payload && outbox.open(key, payload);
      if (!email) throw new GiveUp("a mail cannot be opened: was it queued with another SESSION_SECRET?");
      await transport.send(renderMail(key, email, origin)).catch((error: unknown) => {
        metrics.countMail("failed");
        throw error;
      });
      metrics.countMail("sent");
      log.debug({ mail: key, attempts }, "mail delivered");
    },
  },
});
