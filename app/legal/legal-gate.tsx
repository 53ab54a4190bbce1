import { useEffect, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { Icon } from "../ui/icon.tsx";
import { showToast } from "../ui/toast/toast.ts";
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
export function LegalGate({ children, ...asked }: LegalGateProps) {
  const { question, skip } = useLegalQuestion(asked);
  const note = useLegalNote();
  const isReading = /^\/(?:terms|privacy)\b/.test(useLocation().pathname);
  const document = isReading ? null : question;
  const outcome = note && note.document === document ? note.outcome : undefined;
  return (
    <>
      {children({ covered: document !== null, notice: note && !outcome && <Notice key={note.document} {...note} /> })}
      {document && <LegalDialog key={document} document={document} outcome={outcome} onSkip={skip} />}
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

/** In the page for who has no scripts, and in a toast for who has. */
function Notice({ document, outcome }: LegalNote) {
  const text = LEGAL[document].outcomes[outcome];
  const good = outcome === "accepted";
  useEffect(() => {
    // One id, so that a second run of the effect replaces the toast instead of adding one.
    showToast(text, { tone: good ? "success" : "error", id: "legal" });
  }, [text, good]);
  return (
    <div className="mb-4.5 flex items-center gap-3 rounded-card border border-line bg-surface px-4.5 py-3 shadow-card">
      <Icon name={good ? "done" : "alert"} className={`size-4.5 shrink-0 ${good ? "text-good" : "text-bad"}`} />
      <output>{text}</output>
    </div>
  );
}
