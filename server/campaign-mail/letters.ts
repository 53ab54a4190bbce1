import type { Letter } from "../mail/letter.ts";
import { brand } from "../../brand.ts";

/** What every campaign mail carries: the way out of it, for its reader and for mail programs. */
const unsubscribe = (wayOut: string): Letter["unsubscribe"] => ({
  label: "No more campaign mail",
  path: `/campaign-mail?code=${wayOut}`,
  oneClick: true,
});

/** Asks whether an address for campaign mail is its member's. */
export const campaignEmail = (to: string, { code, wayOut }: { code: string; wayOut: string }): Letter => ({
  to,
  subject: "Confirm your address for campaign mail",
  paragraphs: [
    `Campaign mail tells you about new campaigns at ${brand.name} and what they are worth. Type this code on your profile to get it here. It is good for one day.`,
  ],
  code,
  note: `You get this mail because a member of ${brand.name} gave this address for campaign mail. If it was not you, you can ignore it: without the code no more will come.`,
  unsubscribe: unsubscribe(wayOut),
});
