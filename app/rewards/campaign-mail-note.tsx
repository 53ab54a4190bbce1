import { Form } from "react-router";
import { Button } from "../ui/controls/button.tsx";
import { defineOutcome } from "../outcome/outcome.ts";
import { OutcomeCard } from "../ui/toast/outcome-card.tsx";
import { MemberField } from "../forms/member-field.tsx";

/** What became of the wish to get no more, or again, campaign mail. */
const TEXTS = {
  off: "You get no more campaign mail.",
  on: "You get campaign mail again.",
  failed: "Campaign mail could not be changed right now. Please try again in a moment.",
};

export const CAMPAIGN_MAIL_NOTE = defineOutcome("note", "campaign-mail", TEXTS);

/** Says what became of it, and undoes it. */
export function CampaignMailNote({ outcome }: { outcome: keyof typeof TEXTS }) {
  return (
    <OutcomeCard id="campaign-mail" text={TEXTS[outcome]} isGood={outcome !== "failed"}>
      {outcome === "off" && (
        <Form method="post" action="/rewards" replace>
          <input type="hidden" name="intent" value="campaign-mail" />
          <MemberField />
          <Button type="submit" size="sm">
            Undo
          </Button>
        </Form>
      )}
    </OutcomeCard>
  );
}
