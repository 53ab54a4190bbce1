import { describeInstant, type EmailContent } from "../mail/email.ts";
import { formatCount } from "../format-count.ts";

type Silence = {
  /** The code of the link that ends these emails. */
  code: string;
  /** The last heartbeat before the silence. */
  since: Date;
};

/** How long the silence has lasted, in milliseconds, and the name of the machine that sent the last heartbeat. */
type Lasting = { lasted: number; machine: string | undefined };

/** Tells a member that no heartbeat has come for as long as they have chosen. */
export const nodeSilent = (to: string, { code, lasted, machine, since }: Silence & Lasting): EmailContent => ({
  to,
  subject: `Your node has been silent for ${describeSilence(lasted)}`,
  paragraphs: [
    `Your node's last heartbeat was on ${describeInstant(since)}${machine ? `, from ${machine}` : ""}.`,
    "Check that the machine is on and connected, then start the node again.",
    "It then sends the heartbeats it could not send in the meantime. They count for up to 7 days.",
  ],
  action: { label: "See your node", path: "/agentinsights" },
  ...smallPrint("each time your node goes silent", code),
});

/** Tells a member that the silence they were emailed about is over. */
export const nodeBack = (to: string, { code, since }: Silence): EmailContent => ({
  to,
  subject: "Your node is back",
  paragraphs: [`Your node is sending heartbeats again. It had been silent since ${describeInstant(since)}.`],
  action: { label: "See your node", path: "/agentinsights" },
  ...smallPrint("each time your node is back", code),
});

const smallPrint = (when: string, code: string): Pick<EmailContent, "matter" | "note" | "unsubscribe"> => ({
  matter: "silence",
  note: `You get this email ${when} because you asked for it on your profile.`,
  unsubscribe: { label: "Stop these emails", path: `/node-mail?code=${code}`, oneClick: true },
});

const HOUR_MS = 60 * 60 * 1000;

/**
 * Describes a silence as `1 hour`, `36 hours` or `2 days`, rounded down. An email needs at least an hour of silence.
 */
function describeSilence(milliseconds: number): string {
  const hours = Math.floor(milliseconds / HOUR_MS);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return formatCount(hours, "hour");
}
