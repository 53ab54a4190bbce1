import { useEffect } from "react";
import { Form } from "react-router";
import { Button } from "../ui/controls/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { defineOutcome } from "../outcome/outcome.ts";
import { showToast } from "../ui/toast/toast.ts";
import { MemberField } from "../forms/member-field.tsx";

/** What became of the wish to get no more, or again, campaign mail. */
const TEXTS = {
  off: "You get no more campaign mail.",
  on: "You get campaign mail again.",
  failed: "Campaign mail could not be changed right now. Please try again in a moment.",
};

export const CAMPAIGN_MAIL_NOTE = defineOutcome("note", "campaign-mail", TEXTS);

/** Says what became of it, and undoes it. A toast says the same, for a reader who looks elsewhere. */
export function CampaignMailNote({ outcome }: { outcome: keyof typeof TEXTS }) {
  const text = TEXTS[outcome];
  useEffect(() => {
    // One id, so that a second run of the effect replaces the toast instead of adding one.
    showToast(text, { tone: outcome === "failed" ? "error" : "success", id: "campaign-mail" });
  }, [outcome, text]);

  return (
    <div className="mb-4.5 flex flex-wrap items-center gap-x-3 gap-y-2.5 rounded-card border border-line bg-surface px-4.5 py-3 shadow-card">
      <Icon
        name={outcome === "failed" ? "alert" : "done"}
        className={`size-4.5 shrink-0 ${outcome === "failed" ? "text-bad" : "text-good"}`}
      />
      <output className="grow basis-48">{text}</output>
      {outcome === "off" && (
        <Form method="post" action="/rewards" replace>
          <input type="hidden" name="intent" value="campaign-mail" />
          <MemberField />
          <Button type="submit" size="sm">
            Undo
          </Button>
        </Form>
      )}
    </div>
  );
}
