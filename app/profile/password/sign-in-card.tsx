import { NEW_PASSWORD } from "../../forms/field-rules.ts";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { ProfileForm, Section, SubmitButton, useFormKey, useProfileForm } from "../section.tsx";

/** `email`: the address that the member signs in with, for password managers. */
export function PasswordCard({ email }: { email: string }) {
  return (
    <Section id="password" title="Password">
      <PasswordForm key={useFormKey("password")} email={email} />
    </Section>
  );
}

/** Changes the password, with the current one as the proof. Nothing that was typed comes back from the server. */
function PasswordForm({ email }: { email: string }) {
  const { field, lastResult, props } = useProfileForm<{ currentPassword: string; password: string }>("password", {
    id: "change-password",
    messages: { currentPassword: [["valueMissing", "Enter your current password."]], password: NEW_PASSWORD },
  });
  return (
    <ProfileForm {...props} className="grid gap-4">
      <PasswordOwner email={email} />
      <PasswordField
        {...field("currentPassword")}
        label="Current password"
        lastResult={lastResult}
        autoComplete="current-password"
        maxLength={1024}
      />
      <NewPasswordField {...field("password")} label="New password" lastResult={lastResult} maxLength={256} />
      <div className="grid justify-items-start gap-2.5">
        <SubmitButton intent="password" busy="Changing…" variant="ink">
          Change password
        </SubmitButton>
        <p className="text-hint text-ink-3">This signs out all your other devices.</p>
      </div>
    </ProfileForm>
  );
}
