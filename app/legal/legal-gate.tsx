import { useMemo, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { OutcomeCard } from "../ui/outcome-card.tsx";
import { LegalDialog } from "./legal-dialog.tsx";
import { useNote } from "../outcome/notes.tsx";
import { LEGAL, LEGAL_NOTES, type LegalOutcome } from "./legal-words.ts";
import { useLegalQuestion } from "./use-legal-question.ts";

type LegalGateProps = {
  member: string;
  whitelisted: boolean;
  /** Whether the Privacy Policy was already postponed. */
  skipped: boolean;
  /**
   * Renders the page. `covered`: a question has to be answered first. `notice`: the result of the last form, if the
   * page shows it.
   */
  children: (page: { covered: boolean; notice: ReactNode }) => ReactNode;
};

/** Asks members, on any page, to accept what they have not accepted yet. */
export function LegalGate({ children, ...whom }: LegalGateProps) {
  const { question, skip, ...asked } = useLegalQuestion(whom);
  const note = useLegalNote();
  const isReading = /^\/(?:terms|privacy)\b/.test(useLocation().pathname);
  const document = isReading ? null : question;
  const outcome = note && note.document === document ? note.outcome : undefined;
  // Without this, a response that changes nothing here would render the page again, and hydrate all of it in one go.
  const page = useMemo(
    () => children({ covered: document !== null, notice: note && !outcome && <Notice {...note} /> }),
    [children, document, note, outcome],
  );
  return (
    <>
      {document && <LegalDialog key={document} document={document} {...asked} outcome={outcome} onSkip={skip} />}
      {page}
    </>
  );
}

type LegalNote = { document: LegalDocumentName; outcome: LegalOutcome };

/** Returns the result of the form that the previous page sent without a script. */
function useLegalNote(): LegalNote | null {
  const terms = useNote(LEGAL_NOTES.tos);
  const privacy = useNote(LEGAL_NOTES.pp);
  if (terms) return { document: "tos", outcome: terms.word };
  return privacy && { document: "pp", outcome: privacy.word };
}

/** Shows the result to members who sent the form without scripts. With scripts, a toast shows it. */
const Notice = ({ document, outcome }: LegalNote) => (
  <OutcomeCard text={LEGAL[document].outcomes[outcome]} isGood={outcome === "accepted"} />
);
