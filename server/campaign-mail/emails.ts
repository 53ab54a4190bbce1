import type { CampaignRow } from "../campaigns/queries.ts";
import { toVisibleLine } from "../http/visible-text.ts";
import { describeInstant, type EmailContent } from "../mail/email.ts";
import { describePoints } from "../points/rules.ts";
import { brand } from "../../brand.ts";

/** The unsubscribe link of every campaign email, for its reader and for mail programs. */
const unsubscribe = (unsubscribeCode: string): EmailContent["unsubscribe"] => ({
  label: "Stop campaign emails",
  path: `/campaign-mail?code=${unsubscribeCode}`,
  oneClick: true,
});

/** Asks the owner of an address to confirm it for campaign emails. */
export const campaignEmail = (
  to: string,
  { code, unsubscribeCode }: { code: string; unsubscribeCode: string },
): EmailContent => ({
  to,
  subject: "Confirm your address for campaign emails",
  paragraphs: [
    `Campaign emails tell you about new campaigns at ${brand.name} and what they are worth. Enter this code on your profile to get them at this address. It works for one day.`,
    "Asked for more than one email? Only the code in the latest one works.",
  ],
  code,
  note: `You received this email because a member of ${brand.name} gave this address for campaign emails. If it was not you, you can ignore it. Without the code nothing else is sent here.`,
  unsubscribe: unsubscribe(unsubscribeCode),
});

type Started = Pick<CampaignRow, "name" | "bonusPoints" | "endsAt"> & { unsubscribeCode: string };

/**
 * Tells a member about a campaign that has started. Only the subject, which is also the heading, has the campaign's
 * name: it may be in any script, and reverse the text beside it.
 */
export const campaignStarted = (to: string, { name, bonusPoints, endsAt, unsubscribeCode }: Started): EmailContent => ({
  to,
  subject: `New campaign: ${toVisibleLine(name)}`,
  paragraphs: [
    `You get ${describePoints(bonusPoints)} if you complete it${endsAt ? ` by ${describeInstant(endsAt)}` : ""}.`,
  ],
  action: { label: "See the campaign", path: "/rewards" },
  note: `You get this email because campaign emails from ${brand.name} are on. You can turn them off below or on your profile.`,
  unsubscribe: unsubscribe(unsubscribeCode),
});
