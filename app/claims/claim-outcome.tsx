import { useEffect } from "react";
import { defineOutcome } from "../outcome/outcome.ts";
import { showToast } from "../ui/toast/toast.ts";

/** That a claim was made, and of what: the page after it says that. */
export const CLAIM_NOTE = defineOutcome("note", "claim", { made: true });

type ClaimOutcomeProps = {
  /** What was claimed, in words; null without a claim. */
  claimed: string | null;
  /** Why a claim was refused. */
  refusal: string | null;
};

/** There before it has anything to say, so that what it says is read out. A toast says the same, for a reader who looks elsewhere. */
export function ClaimOutcome({ claimed, refusal }: ClaimOutcomeProps) {
  useEffect(() => {
    // One id, so that a second run of the effect replaces the toast instead of adding one.
    if (refusal) showToast(refusal, { tone: "error", id: "claim" });
    else if (claimed) showToast(claimed, { tone: "success", id: "claim" });
  }, [claimed, refusal]);
  return (
    <>
      <p role="alert" className="rounded-control bg-bad-soft px-4 py-2.5 text-small text-bad empty:hidden">
        {refusal}
      </p>
      <output className="rounded-control bg-good-soft px-4 py-2.5 text-small text-good empty:hidden">
        {refusal ? null : claimed}
      </output>
    </>
  );
}
