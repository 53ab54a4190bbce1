import type { RouterContextProvider } from "react-router";
import { toApiError } from "../api/api-error.ts";
import { apiContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { say } from "../outcome/outcome.ts";
import { CAMPAIGN_MAIL_NOTE } from "./campaign-mail-note.tsx";

/** Turns campaign mail on or off, and says what came of it. */
export async function setCampaignMail(context: Readonly<RouterContextProvider>, subscribed: boolean): Promise<void> {
  try {
    await context.get(apiContext).campaignMail.subscribe(subscribed);
    say(context, CAMPAIGN_MAIL_NOTE, subscribed ? "on" : "off");
    say(context, AUTH_EVENT, "USER_UPDATED");
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    logFailure(context, toApiError(error), "Campaign mail could not be changed");
    say(context, CAMPAIGN_MAIL_NOTE, "failed");
  }
}
