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
  /** Whether the Privacy Policy was put off already. */
  skipped: boolean;
  /** The page; `covered` while a question has to be answered first, `notice` where it says what became of the last. */
  children: (page: { covered: boolean; notice: ReactNode }) => ReactNode;
};

/** Asks a member, over whatever page they open, to accept what they have not accepted yet. */
export function LegalGate({ children, ...whom }: LegalGateProps) {
  const { question, skip, ...asked } = useLegalQuestion(whom);
  const note = useLegalNote();
  const isReading = /^\/(?:terms|privacy)\b/.test(useLocation().pathname);
  const document = isReading ? null : question;
  const outcome = note && note.document === document ? note.outcome : undefined;
  // Drawn again for an answer that changes nothing here, the whole page would come to life in one go.
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

/** What became of the form of the page before this one, without a script. */
function useLegalNote(): LegalNote | null {
  const terms = useNote(LEGAL_NOTES.tos);
  const privacy = useNote(LEGAL_NOTES.pp);
  if (terms) return { document: "tos", outcome: terms.word };
  return privacy && { document: "pp", outcome: privacy.word };
}

/** Says so to members who sent the form without scripts; with them, a toast does. */
const Notice = ({ document, outcome }: LegalNote) => (
  <OutcomeCard text={LEGAL[document].outcomes[outcome]} isGood={outcome === "accepted"} />
);
