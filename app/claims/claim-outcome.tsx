import { defineOutcome } from "../outcome/outcome.ts";
import { useLostFocus } from "../ui/lost-focus.ts";

/** That a claim was made, and of what: the page after it says that. Of all that could be claimed, how much it was. */
export const CLAIM_NOTE = defineOutcome("note", "claim", { made: true, all: true });

type ClaimOutcomeProps = {
  /** What was claimed, in words; null without a claim. */
  claimed: string | null;
  /** Why a claim was refused. */
  refusal: string | null;
};

/**
 * There before it has anything to say, so that what it says is read out. Stands above the list that is claimed from,
 * and takes the focus of the button that went with the claim: the next Tab is the next thing to claim.
 */
export function ClaimOutcome({ claimed, refusal }: ClaimOutcomeProps) {
  const said = refusal ?? claimed;
  return (
    <div
      ref={useLostFocus(said)}
      // Out of the way, and there for who listens.
      className={said ? "scroll-mt-2.5 rounded-control" : "sr-only"}
    >
      <p role="alert" className="note note-bad">
        {refusal}
      </p>
      <output className="note bg-good-soft wrap-anywhere text-good">{refusal ? null : claimed}</output>
    </div>
  );
}
