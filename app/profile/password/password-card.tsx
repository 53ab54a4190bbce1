import { NEW_PASSWORD } from "../../forms/field-rules.ts";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { fieldProps, useCheckedForm } from "../../forms/use-checked-form.ts";
import type { Refusal } from "../profile-form.ts";
import { ProfileForm, Section, SubmitButton, useFormKey } from "../section.tsx";

type PasswordCardProps = {
  /** The address that the member signs in with, for password managers. */
  email: string;
  message: string | null;
  refusal: Refusal | null;
};

export function PasswordCard({ email, message, refusal }: PasswordCardProps) {
  return (
    <Section id="password" title="Password" message={message}>
      <PasswordForm key={useFormKey(message !== null)} email={email} refusal={refusal} />
    </Section>
  );
}

/** Changes the password, with the current one as the proof. Nothing that was typed comes back from the server. */
function PasswordForm({ email, refusal }: Pick<PasswordCardProps, "email" | "refusal">) {
  const lastResult = refusal?.result ?? null;
  const { errors, fields, props } = useCheckedForm<{ currentPassword: string; password: string }>({
    id: "change-password",
    lastResult,
    messages: { currentPassword: [["valueMissing", "Enter your current password."]], password: NEW_PASSWORD },
  });
  return (
    <ProfileForm intent="password" refusal={refusal} errors={errors} replace {...props} className="grid gap-4">
      <PasswordOwner email={email} />
      <PasswordField
        {...fieldProps(fields.currentPassword)}
        label="Current password"
        lastResult={lastResult}
        autoComplete="current-password"
        maxLength={1024}
      />
      <NewPasswordField {...fieldProps(fields.password)} label="New password" lastResult={lastResult} maxLength={256} />
      <div className="grid justify-items-start gap-2.5">
        <SubmitButton intent="password" busy="Changing…" variant="ink">
          Change password
        </SubmitButton>
        <p className="text-hint text-ink-3">This signs out all your other devices.</p>
      </div>
    </ProfileForm>
  );
}
