import { redirect } from "react-router";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { isMissing } from "../api/missing-calls.ts";
import { NO_FIELDS, receiveForMember } from "../forms/receive.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { apiContext, type PageArgs } from "../page/context.ts";
import { CAMPAIGN_MAIL_NOTE, type CampaignMailWord } from "./campaign-mail-note.tsx";

/** Turns campaign emails on or off, and redirects to the page that shows the result. */
export function setCampaignMail({ context, url }: PageArgs, form: FormData, subscribed: boolean) {
  const redirectWithOutcome = (word: CampaignMailWord) => {
    leaveOutcome(context, CAMPAIGN_MAIL_NOTE, word);
    // There is the button to try again.
    return redirect(word === "off-failed" ? "/rewards?unsubscribe" : "/rewards", 303);
  };
  return receiveForMember(
    { context, url },
    { form, schema: NO_FIELDS },
    async () => {
      await context.get(apiContext).campaignMail.subscribe(subscribed);
      leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
      return redirectWithOutcome(subscribed ? "on" : "off");
    },
    ({ error }) => {
      if (error && isMissing(error)) return redirectWithOutcome("missing");
      return redirectWithOutcome(subscribed ? "on-failed" : "off-failed");
    },
  );
}
