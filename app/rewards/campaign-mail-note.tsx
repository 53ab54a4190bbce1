import type { ReactNode } from "react";
import { Form } from "react-router";
import { Card } from "../ui/card.tsx";
import { Button } from "../ui/controls/button.tsx";
import { defineOutcome } from "../outcome/outcome.ts";
import { OutcomeCard } from "../ui/outcome-card.tsx";
import { MemberField } from "../forms/member-field.tsx";

const FAILED = "Campaign emails could not be changed right now. Please try again in a moment.";

/** The result of turning campaign emails off or on. */
const TEXTS = {
  off: "Campaign emails are off.",
  on: "Campaign emails are on again.",
  "off-failed": FAILED,
  "on-failed": FAILED,
  /** Another backend may not have campaign emails. */
  missing: "Campaign emails cannot be changed here.",
};

export type CampaignMailWord = keyof typeof TEXTS;

export const CAMPAIGN_MAIL_NOTE = defineOutcome("note", "campaign-mail", TEXTS);

/** The intents of the forms that turn campaign emails off and on. */
export const CAMPAIGN_MAIL_INTENTS = { off: "campaign-mail-off", on: "campaign-mail" };

/** Shows the result, if there is one, and offers to undo it. */
export function CampaignMailNote({ outcome }: { outcome: CampaignMailWord | null }) {
  return (
    <OutcomeCard text={outcome && TEXTS[outcome]} isGood={outcome === "on" || outcome === "off"}>
      {(outcome === "off" || outcome === "on-failed") && <CampaignMailForm intent="on">Undo</CampaignMailForm>}
    </OutcomeCard>
  );
}

/**
 * Shown to members who followed the link in a campaign email, `?unsubscribe`. Opening it changes nothing, because mail
 * scanners do that, too.
 */
export function CampaignMailQuestion() {
  return (
    <Card title="Campaign emails">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <p className="me-auto text-ink-2">
          We email you about new campaigns and what they are worth. You can turn these emails off.
        </p>
        <CampaignMailForm intent="off">Turn off campaign emails</CampaignMailForm>
      </div>
    </Card>
  );
}

type CampaignMailFormProps = { intent: keyof typeof CAMPAIGN_MAIL_INTENTS; children: ReactNode };

function CampaignMailForm({ intent, children }: CampaignMailFormProps) {
  return (
    <Form method="post" action="/rewards" replace>
      <input type="hidden" name="intent" value={CAMPAIGN_MAIL_INTENTS[intent]} />
      <MemberField />
      <Button type="submit" size="sm">
        {children}
      </Button>
    </Form>
  );
}
