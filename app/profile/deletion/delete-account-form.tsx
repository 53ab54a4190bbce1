import { Form, useNavigation } from "react-router";
import { FormAlert } from "../../forms/form-notice.tsx";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { Button, ButtonLink } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import type { Refusal } from "../profile-form.ts";
import { DELETE_ACCOUNT, PROFILE } from "../profile-view.ts";
import { FormFacts } from "../section.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { PASSWORD } from "../../forms/field-rules.ts";

/** The words of RequestDeletionInput (server/account-data/contract.ts), for what the browser can tell by itself. */
const MESSAGES: ConstraintMessages = {
  password: PASSWORD,
  understood: [["valueMissing", "Tick the box to go on."]],
};

type DeleteAccountFormProps = { email: string; refusal: Refusal | null };

/** Asks for the deletion, with the password as the proof and a box as the second thought. */
export function DeleteAccountForm({ email, refusal }: DeleteAccountFormProps) {
  const busy = useNavigation().formData?.get("intent") === "delete";
  const [form, fields, formProps] = useCheckedForm<{ password: string; understood: boolean }>({
    id: "delete-account-form",
    lastResult: refusal?.result,
    messages: MESSAGES,
  });
  const { password, understood } = fields;
  return (
    <Form method="post" action={DELETE_ACCOUNT} replace preventScrollReset {...formProps} className="grid gap-4">
      <FormFacts intent="delete" />
      <FormAlert errors={form.errors} retryAt={refusal?.retryAt} />
      <PasswordOwner email={email} />
      <PasswordField
        label="Your password"
        id={password.id}
        name={password.name}
        errors={password.errors}
        autoComplete="current-password"
        required
        maxLength={1024}
      />
      <Understood id={understood.id} name={understood.name} errors={understood.errors} />
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="pulse" aria-disabled={busy}>
          {busy ? "Asking…" : "Delete my account"}
        </Button>
        <ButtonLink to={PROFILE}>Cancel</ButtonLink>
      </div>
    </Form>
  );
}

function Understood({ id, name, errors }: { id: string; name: string; errors: string[] | undefined }) {
  return (
    <div>
      <label htmlFor={id} className="flex items-start gap-2.5">
        <input
          id={id}
          type="checkbox"
          name={name}
          required
          aria-describedby={`${id}-error`}
          aria-invalid={errors ? true : undefined}
          className="mt-0.5 size-4.5 shrink-0 accent-ink"
        />
        I understand what goes and what stays.
      </label>
      <p id={`${id}-error`} aria-live="polite" className="mt-1.5 text-hint text-bad empty:hidden">
        {errors}
      </p>
    </div>
  );
}
