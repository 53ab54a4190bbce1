import type { SubmissionResult } from "@conform-to/dom";
import { NEW_PASSWORD } from "../../forms/field-rules.ts";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { PasswordOwner } from "../../forms/password-field.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { AuthForm } from "../auth-form.tsx";

type FormProps = { lastResult?: SubmissionResult | null | undefined };

/** The form that a mailed link leads to. Only its button uses the link. */
export function OpenRecoveryForm({ lastResult }: FormProps) {
  return (
    <AuthForm
      title="Choose a new password"
      text="The link works once. You then have 15 minutes to choose."
      errors={lastResult?.error?.[""]}
      intent="open"
      submit={["Choose a new password", "Opening…"]}
    />
  );
}

/** Asks for the new password, once, in a recovery session. `email`: whose password it is, if that is known. */
export function ResetPasswordForm({ email, lastResult }: FormProps & { email: string | undefined }) {
  const messages = { password: NEW_PASSWORD };
  const { errors, field, props } = useCheckedForm<{ password: string }>({
    id: "reset-password",
    lastResult,
    messages,
  });
  return (
    <AuthForm
      {...props}
      title="Choose a new password"
      text="This replaces your old password and signs you out everywhere."
      errors={errors}
      submit={["Save password", "Saving…"]}
    >
      {email && <PasswordOwner email={email} />}
      <NewPasswordField {...field("password")} label="New password" lastResult={lastResult} />
    </AuthForm>
  );
}
