import { PASSWORD } from "../../forms/field-rules.ts";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { ButtonLink } from "../../ui/controls/button.tsx";
import { CheckboxField } from "../../ui/controls/checkbox-field.tsx";
import { DELETE_ACCOUNT, PROFILE } from "../profile-view.ts";
import { ProfileForm, SubmitButton, useProfileForm } from "../section.tsx";

/** Requests the deletion. The password proves who asks, and a box to tick makes them think twice. */
export function DeleteAccountForm({ email }: { email: string }) {
  const { field, lastResult, props } = useProfileForm<{ password: string; understood: string }>("delete", {
    messages: { password: PASSWORD, understood: [["valueMissing", "Tick the box to continue."]] },
  });
  return (
    <ProfileForm {...props} action={DELETE_ACCOUNT} className="grid gap-4">
      <PasswordOwner email={email} />
      <PasswordField
        {...field("password")}
        label="Your password"
        autoComplete="current-password"
        maxLength={1024}
        lastResult={lastResult}
      />
      <CheckboxField {...field("understood")} label="I understand what is deleted and what stays." />
      <div className="flex flex-wrap gap-2.5">
        <SubmitButton intent="delete" busy="Sending…" variant="pulse">
          Delete my account
        </SubmitButton>
        <ButtonLink to={PROFILE}>Cancel</ButtonLink>
      </div>
    </ProfileForm>
  );
}
