import type { RouterContextProvider } from "react-router";
import { toApiError } from "../api/api-error.ts";
import { apiContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import type { CampaignMailOutcome } from "./campaign-mail-note.tsx";

/** Turns campaign mail on or off, and tells what came of it. */
export async function setCampaignMail(
  context: Readonly<RouterContextProvider>,
  subscribed: boolean,
): Promise<CampaignMailOutcome> {
  try {
    await context.get(apiContext).campaignMail.subscribe(subscribed);
    return subscribed ? "on" : "off";
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    logFailure(context, toApiError(error), "Campaign mail could not be changed");
    return "failed";
  }
}
