import { redirect } from "react-router";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { isMissing } from "../api/missing-calls.ts";
import { NO_FIELDS, receiveForMember } from "../forms/receive.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { apiContext, type PageArgs } from "../page/context.ts";
import { CAMPAIGN_MAIL_NOTE } from "./campaign-mail-note.tsx";

/** Turns campaign emails on or off, and redirects to the page that shows the result. */
export function setCampaignMail({ context, url }: PageArgs, form: FormData, subscribed: boolean) {
  const redirectWithOutcome = (word: "on" | "off" | "failed" | "missing") => {
    leaveOutcome(context, CAMPAIGN_MAIL_NOTE, word);
    return redirect("/rewards", 303);
  };
  return receiveForMember(
    { context, url },
    { form, schema: NO_FIELDS },
    async () => {
      await context.get(apiContext).campaignMail.subscribe(subscribed);
      leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
      return redirectWithOutcome(subscribed ? "on" : "off");
    },
    ({ error }) => redirectWithOutcome(error && isMissing(error) ? "missing" : "failed"),
  );
}
