import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { FormAlert } from "../../forms/form-notice.tsx";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { Button } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import type { Refusal } from "../profile-form.ts";
import { PROFILE } from "../profile-view.ts";
import { FormFacts, Section } from "../section.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { NEW_PASSWORD } from "../../forms/field-rules.ts";

/** The words of ChangePasswordInput (server/auth/contract.ts), for what the browser can tell without the server. */
const MESSAGES: ConstraintMessages = {
  currentPassword: [["valueMissing", "Enter your current password."]],
  password: NEW_PASSWORD,
};

type PasswordCardProps = {
  /** The address that the member signs in with, for password managers. */
  email: string;
  /** Changes with every change of the password, and begins the form anew. */
  formKey: string;
  message: string | null;
  refusal: Refusal | null;
};

export function PasswordCard({ email, formKey, message, refusal }: PasswordCardProps) {
  return (
    <Section id="password" title="Password" message={message}>
      <PasswordForm key={formKey} email={email} refusal={refusal} />
    </Section>
  );
}

/** Changes the password, with the current one as the proof. Nothing that was typed comes back from the server. */
function PasswordForm({ email, refusal }: Pick<PasswordCardProps, "email" | "refusal">) {
  const busy = useNavigation().formData?.get("intent") === "password";
  const lastResult = refusal?.result ?? null;
  const current = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (lastResult?.status === "error" && current.current) current.current.value = "";
  }, [lastResult]);
  const [form, fields, formProps] = useCheckedForm<{ currentPassword: string; password: string }>({
    id: "change-password",
    lastResult,
    messages: MESSAGES,
  });

  return (
    <Form method="post" action={PROFILE} replace preventScrollReset {...formProps} className="grid gap-4">
      <FormFacts intent="password" />
      <FormAlert errors={form.errors} retryAt={refusal?.retryAt} />
      <PasswordOwner email={email} />
      <PasswordField
        label="Current password"
        ref={current}
        id={fields.currentPassword.id}
        name={fields.currentPassword.name}
        errors={fields.currentPassword.errors}
        autoComplete="current-password"
        required
        maxLength={1024}
      />
      <NewPasswordField
        label="New password"
        id={fields.password.id}
        name={fields.password.name}
        errors={fields.password.errors}
        lastResult={lastResult}
        maxLength={256}
      />
      <div className="grid justify-items-start gap-2.5">
        <Button type="submit" variant="ink" aria-disabled={busy}>
          {busy ? "Changing…" : "Change password"}
        </Button>
        <p className="text-hint text-ink-3">This signs out all your other devices.</p>
      </div>
    </Form>
  );
}
