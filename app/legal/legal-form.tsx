import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { useLocation } from "react-router";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { MemberField } from "../forms/member-field.tsx";
import { Button } from "../ui/controls/button.tsx";
import { CheckboxField } from "../ui/controls/checkbox-field.tsx";
import { useHydrated } from "remix-utils/use-hydrated";
import { sendForm } from "../session/send-form.ts";
import { useMemberId } from "../session/use-member-id.ts";
import { useLostFocus } from "../ui/lost-focus.ts";
import { showToast } from "../ui/toast/toast.ts";
import { LEGAL, type LegalOutcome } from "./legal-words.ts";
import { privacyQuery, termsQuery } from "./reads.ts";

type LegalFormProps = {
  document: LegalDocumentName;
  /** The version to accept, if the backend says which. */
  version: number | undefined;
  /** Whether the member has not accepted any version of it yet. */
  isFirst: boolean;
  /** The result of the form if it was sent without a script. */
  outcome: LegalOutcome | undefined;
};

/** Renders the checkbox and the button. Without scripts, the server says that the box must be checked. */
export function LegalForm({ document, version, isFirst, outcome }: LegalFormProps) {
  const { name, href, text, action, outcomes } = LEGAL[document];
  const { pathname, search } = useLocation();
  const hydrated = useHydrated();
  const [checked, setChecked] = useState<boolean>();
  const [asked, setAsked] = useState(version);
  // A newer version has come into force. A box that was ticked for the old one does not accept it.
  if (version !== asked) {
    setAsked(version);
    setChecked(undefined);
  }
  const { busy, failed, send } = useAcceptance(document, outcome === "failed");
  const isMissing = checked === undefined ? outcome === "required" : !checked;

  return (
    <form method="post" action={action} onSubmit={send} noValidate className="grid gap-4">
      <input type="hidden" name="returnTo" value={`${pathname}${search}`} />
      <MemberField />
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      <p ref={useLostFocus(failed)} role="alert" className="note note-bad">
        {failed ? outcomes.failed : null}
      </p>
      <p className="text-ink-2">{isFirst ? text.first : text.updated}</p>
      <a href={version === undefined ? href : `${href}/${version}`} target="_blank" rel="noreferrer" className={LINK}>
        Read the {name}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <Consent key={version} name={name} error={isMissing ? outcomes.required : null} onChange={setChecked} />
      <Button type="submit" variant="ink" size="lg" disabled={hydrated && (!checked || busy)}>
        {busy ? "Updating..." : "Continue"}
      </Button>
    </form>
  );
}

const LINK = "justify-self-start rounded-small py-0.5 font-strong text-ink hover:underline";

type ConsentProps = { name: string; error: string | null; onChange: (checked: boolean) => void };

function Consent({ name, error, onChange }: ConsentProps) {
  const box = useRef<HTMLInputElement>(null);
  // It may have been ticked before hydration.
  useEffect(() => {
    if (box.current?.checked) onChange(true);
  }, [onChange]);
  return (
    <CheckboxField
      ref={box}
      id={useId()}
      name="accept"
      label={`I accept the updated ${name}`}
      errors={error === null ? undefined : [error]}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** Sends the form without leaving the page. Then has the status read again, which ends the question. */
function useAcceptance(document: LegalDocumentName, initiallyFailed: boolean) {
  const cache = useQueryClient();
  const member = useMemberId() ?? "";
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(initiallyFailed);

  async function accept(form: HTMLFormElement) {
    setBusy(true);
    setFailed(false);
    const isAccepted = await sendForm(form.action, member, new FormData(form)).then(
      () => true,
      () => false,
    );
    // Also after a failure: a newer version may be in force by now, and is asked about next.
    await cache.invalidateQueries({ queryKey: [(document === "tos" ? termsQuery : privacyQuery).path] });
    setBusy(false);
    setFailed(!isAccepted);
    const { accepted, failed } = LEGAL[document].outcomes;
    showToast(isAccepted ? accepted : failed, { tone: isAccepted ? "success" : "error" });
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void accept(event.currentTarget);
  }
  return { busy, failed, send };
}
