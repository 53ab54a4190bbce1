import type { SubmissionResult } from "@conform-to/react";
import { Form, Link, useNavigation } from "react-router";
import type { BotCheckToken } from "../../../server/auth/contract.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import { Field } from "../../ui/controls/field.tsx";
import { AuthTitle } from "../auth-layout.tsx";
import { BotCheckFields } from "../../forms/bot-check-fields.tsx";
import { FOOTER_LINK, FormAlert, FormFooter, FormNotice } from "../../forms/form-notice.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { EMAIL } from "../../forms/field-rules.ts";

type ForgotPasswordFormProps = {
  lastResult?: SubmissionResult | null;
  /** When to try again, as ISO 8601, after too many attempts. */
  retryAt?: string | undefined;
  /** What the bot check needs in the form; null while it cannot be asked. */
  check: BotCheckToken | null;
  /** Why the reader is here, or why the form cannot be used yet. */
  notice: string | null;
};

/** The words of ForgotPasswordInput (server/auth/contract.ts), for what the browser can tell by itself. */
const MESSAGES: ConstraintMessages = {
  email: EMAIL,
};

/** Asks for the mail with which a password can be replaced. */
export function ForgotPasswordForm({ lastResult, retryAt, check, notice }: ForgotPasswordFormProps) {
  const busy = useNavigation().formMethod === "POST";
  const [form, fields, formProps] = useCheckedForm<{ email: string }>({
    id: "forgot-password",
    lastResult,
    messages: MESSAGES,
  });

  return (
    <Form method="post" replace {...formProps} className="grid gap-5">
      <AuthTitle title="Forgot password" text="We mail you a link with which you choose a new one." />
      <FormNotice>{notice}</FormNotice>
      <FormAlert errors={form.errors} retryAt={retryAt} />
      <BotCheckFields check={check} />
      <Field
        label="Email"
        id={fields.email.id}
        name={fields.email.name}
        defaultValue={fields.email.initialValue}
        errors={fields.email.errors}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        required
        maxLength={254}
      />
      <Button type="submit" variant="ink" size="lg" aria-disabled={busy}>
        {busy ? "Sending…" : "Send the link"}
      </Button>
      <FormFooter>
        Remembered it?{" "}
        <Link to="/auth" className={FOOTER_LINK}>
          Sign in
        </Link>
      </FormFooter>
    </Form>
  );
}
