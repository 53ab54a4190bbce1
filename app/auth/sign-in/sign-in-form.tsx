import type { SubmissionResult } from "@conform-to/react";
import { useEffect, useRef, type ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";
import type { BotCheckToken } from "../../../server/auth/contract.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import { Field } from "../../ui/controls/field.tsx";
import { AuthTitle } from "../auth-layout.tsx";
import { BotCheckFields } from "../../forms/bot-check-fields.tsx";
import { FOOTER_LINK, FormAlert, FormFooter } from "../../forms/form-notice.tsx";
import { PasswordField } from "../../forms/password-field.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { EMAIL, NEW_PASSWORD } from "../../forms/field-rules.ts";

type SignInFormProps = {
  /** The reply to the last submission, from the route's action. */
  lastResult?: SubmissionResult | null;
  /** When to try again, as ISO 8601, after too many attempts. */
  retryAt?: string | undefined;
  /** What the bot check needs in the form; null while it cannot be asked. */
  check: BotCheckToken | null;
  /** What to know before signing in. */
  notice: ReactNode;
};

/** The words of LoginInput (server/auth/contract.ts), for what the browser can tell without asking the server. */
const MESSAGES: ConstraintMessages = {
  email: EMAIL,
  password: NEW_PASSWORD,
};

/** Signing in with email and password. Works without a script; with one, mistakes are told before anything is sent. */
export function SignInForm({ lastResult, retryAt, check, notice }: SignInFormProps) {
  const busy = useNavigation().formMethod === "POST";
  const password = useRef<HTMLInputElement>(null);
  // The email stays for another try, the password never does.
  useEffect(() => {
    if (lastResult?.status === "error" && password.current) password.current.value = "";
  }, [lastResult]);

  const [form, fields, formProps] = useCheckedForm<{ email: string; password: string }>({
    id: "sign-in",
    lastResult,
    messages: MESSAGES,
  });

  return (
    <Form method="post" replace {...formProps} className="grid gap-5">
      <AuthTitle title="Sign in" text="See what your node earned while you were away." />
      {notice}
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
      <PasswordField
        label="Password"
        aside={
          <Link to="/auth/forgot-password" className="text-ink-2 underline-offset-2 hover:text-ink hover:underline">
            Forgot password?
          </Link>
        }
        ref={password}
        id={fields.password.id}
        name={fields.password.name}
        errors={fields.password.errors}
        autoComplete="current-password"
        required
        minLength={8}
        maxLength={256}
      />
      <Button type="submit" variant="ink" size="lg" aria-disabled={busy}>
        {busy ? "Signing in…" : "Sign in"}
      </Button>
      <FormFooter>
        New here?{" "}
        <Link to="/auth/signup" className={FOOTER_LINK}>
          Create an account
        </Link>
      </FormFooter>
    </Form>
  );
}
