import { defineOutcome } from "../outcome/outcome.ts";
import { useLostFocus } from "../ui/lost-focus.ts";

/** Tells the next page that something was claimed, and what. For a claim of everything, it tells how much. */
export const CLAIM_NOTE = defineOutcome("note", "claim", { made: true, all: true });

type ClaimOutcomeProps = {
  /** Describes what was claimed, or null without a claim. */
  claimed: string | null;
  /** Why a claim was refused. */
  refusal: string | null;
};

/**
 * Shows the result of a claim. It is present before it has anything to say, so that screen readers announce it. It is
 * above the list, and takes the focus of the button that disappeared with the claim: the next Tab leads to the next
 * thing to claim.
 */
export function ClaimOutcome({ claimed, refusal }: ClaimOutcomeProps) {
  const said = refusal ?? claimed;
  return (
    <div
      ref={useLostFocus(said)}
      // Invisible, but available to screen readers.
      className={said ? "scroll-mt-2.5 rounded-control" : "sr-only"}
    >
      <p role="alert" className="note note-bad">
        {refusal}
      </p>
      <output className="note bg-good-soft wrap-anywhere text-good">{refusal ? null : claimed}</output>
    </div>
  );
}
