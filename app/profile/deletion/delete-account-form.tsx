import { PASSWORD } from "../../forms/field-rules.ts";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { fieldProps } from "../../forms/use-checked-form.ts";
import { ButtonLink } from "../../ui/controls/button.tsx";
import { DELETE_ACCOUNT, PROFILE } from "../profile-view.ts";
import { ProfileForm, SubmitButton, useProfileForm } from "../section.tsx";

/** Asks for the deletion, with the password as the proof and a box as the second thought. */
export function DeleteAccountForm({ email }: { email: string }) {
  const { fields, props } = useProfileForm<{ password: string; understood: string }>("delete", {
    id: "delete-account-form",
    messages: { password: PASSWORD, understood: [["valueMissing", "Tick the box to go on."]] },
  });
  return (
    <ProfileForm {...props} action={DELETE_ACCOUNT} className="grid gap-4">
      <PasswordOwner email={email} />
      <PasswordField
        {...fieldProps(fields.password)}
        label="Your password"
        autoComplete="current-password"
        maxLength={1024}
      />
      <Understood {...fieldProps(fields.understood)} />
      <div className="flex flex-wrap gap-2.5">
        <SubmitButton intent="delete" busy="Asking…" variant="pulse">
          Delete my account
        </SubmitButton>
        <ButtonLink to={PROFILE}>Cancel</ButtonLink>
      </div>
    </ProfileForm>
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
