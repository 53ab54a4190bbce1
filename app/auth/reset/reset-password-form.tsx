import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import { AuthTitle } from "../auth-layout.tsx";
import { FormAlert } from "../../forms/form-notice.tsx";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { NEW_PASSWORD } from "../../forms/field-rules.ts";

type FormProps = { lastResult?: SubmissionResult | null | undefined };

/** Where a mailed link leads: only the button uses it. */
export function OpenRecoveryForm({ lastResult }: FormProps) {
  const busy = useNavigation().formMethod === "POST";
  return (
    <Form method="post" replace className="grid gap-5">
      <AuthTitle title="Choose a new password" text="The link works once. You then have 15 minutes." />
      <FormAlert errors={lastResult?.error?.[""]} />
      <Button type="submit" name="intent" value="open" variant="ink" size="lg" aria-disabled={busy}>
        {busy ? "Opening…" : "Choose a new password"}
      </Button>
    </Form>
  );
}

/** The words of ResetPasswordInput (server/auth/contract.ts), for what the browser can tell by itself. */
const MESSAGES: ConstraintMessages = {
  password: NEW_PASSWORD,
};

/** In a recovery session: the new password, once. */
export function ResetPasswordForm({ lastResult }: FormProps) {
  const busy = useNavigation().formMethod === "POST";
  const [form, fields, formProps] = useCheckedForm<{ password: string }>({
    id: "reset-password",
    lastResult,
    messages: MESSAGES,
  });

  return (
    <Form method="post" replace {...formProps} className="grid gap-5">
      <AuthTitle
        title="Choose a new password"
        text="It replaces the old one, and signs you out everywhere you are signed in."
      />
      <FormAlert errors={form.errors} />
      <NewPasswordField
        label="New password"
        lastResult={lastResult}
        id={fields.password.id}
        name={fields.password.name}
        errors={fields.password.errors}
      />
      <Button type="submit" variant="ink" size="lg" aria-disabled={busy}>
        {busy ? "Saving…" : "Save the password"}
      </Button>
    </Form>
  );
}
