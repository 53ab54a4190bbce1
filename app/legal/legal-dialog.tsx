import { useRef } from "react";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { LogOutForm } from "../session/log-out-dialog.tsx";
import { PreferenceForm } from "../page/preference-form.tsx";
import { Icon } from "../ui/icon.tsx";
import { LegalForm } from "./legal-form.tsx";
import { LEGAL, type LegalOutcome } from "./legal-words.ts";
import { isOnStage, openQuestion, useModal } from "./use-modal.ts";

type LegalDialogProps = {
  document: LegalDocumentName;
  version: number | undefined;
  /** Whether the member has not accepted any version of it yet. */
  isFirst: boolean;
  /** The result of the form if it was sent without a script. */
  outcome: LegalOutcome | undefined;
  /** Postpones the question. This is possible only for the Privacy Policy. */
  onSkip: () => void;
};

/**
 * Asks for consent in a dialog over the page. The dialog is open in the HTML, and becomes modal once there is a script.
 */
export function LegalDialog({ document, version, isFirst, outcome, onSkip }: LegalDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const canSkip = document === "pp";
  useModal(ref);

  /** Postpones the question, or opens it again, however it was closed: by Escape, a click outside, or a script. */
  function followClosing() {
    const dialog = ref.current;
    if (!dialog || !isOnStage(dialog)) return;
    if (canSkip) onSkip();
    else openQuestion(dialog);
  }

  const titleId = `${document}-title`;
  return (
    <div className="shown-whole fixed inset-0 z-40 bg-backdrop forced-colors:bg-[Canvas] print:hidden">
      <dialog
        ref={ref}
        open
        tabIndex={-1}
        aria-labelledby={titleId}
        closedby={canSkip ? "any" : "none"}
        onCancel={(event) => {
          if (!canSkip) event.preventDefault();
        }}
        onClose={followClosing}
        className="dialog fixed inset-0 h-fit outline-none backdrop:bg-transparent"
      >
        <div className="flex items-start gap-3">
          <h2 id={titleId} className="me-auto dialog-title">
            {`Updated ${LEGAL[document].name}`}
          </h2>
          {canSkip && <SkipForm onSkip={onSkip} />}
        </div>
        <LegalForm document={document} version={version} isFirst={isFirst} outcome={outcome} />
        {!canSkip && (
          <div className="flex justify-center border-t border-line pt-4">
            <LogOutForm variant="quiet" />
          </div>
        )}
      </dialog>
    </div>
  );
}

function SkipForm({ onSkip }: { onSkip: () => void }) {
  return (
    <PreferenceForm action="/legal/privacy/skip" onApply={onSkip}>
      <button
        type="submit"
        aria-label="Close"
        className="-me-2 -mt-1.5 grid size-8 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <Icon name="close" className="size-4.25" />
      </button>
    </PreferenceForm>
  );
}
