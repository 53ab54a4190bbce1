import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";
import type { BotCheckToken } from "../../../server/auth/contract.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import { Field } from "../../ui/controls/field.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { AuthTitle } from "../auth-layout.tsx";
import { BotCheckFields } from "../../forms/bot-check-fields.tsx";
import { FOOTER_LINK, FormAlert, FormFooter } from "../../forms/form-notice.tsx";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { EMAIL, NEW_PASSWORD, REFERRAL_CODE } from "../../forms/field-rules.ts";

type SignUpFormProps = {
  lastResult?: SubmissionResult | null;
  /** When to try again, as ISO 8601, after too many attempts. */
  retryAt?: string | undefined;
  /** What the bot check needs in the form; null while it cannot be asked. */
  check: BotCheckToken | null;
  /** The code of the link that led here. */
  referralCode: string | null;
  /** What a friend's code is worth; null while the API does not tell. */
  referralPoints: number | null;
  /** What to know before signing up. */
  notice: ReactNode;
};

/** The words of SignUpInput (server/auth/contract.ts), for what the browser can tell without asking the server. */
const MESSAGES: ConstraintMessages = {
  email: EMAIL,
  password: NEW_PASSWORD,
  referralCode: REFERRAL_CODE,
};

/** Asking for an account with email and password, and with a friend's code where there is one. */
export function SignUpForm({ lastResult, retryAt, check, referralCode, referralPoints, notice }: SignUpFormProps) {
  const busy = useNavigation().formMethod === "POST";
  const [form, fields, formProps] = useCheckedForm<{ email: string; password: string; referralCode: string }>({
    id: "sign-up",
    lastResult,
    defaultValue: { referralCode },
    messages: MESSAGES,
  });

  return (
    <Form method="post" replace {...formProps} className="grid gap-5">
      <AuthTitle title="Create an account" text="You begin to earn once your email is confirmed." />
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
      <NewPasswordField
        label="Password"
        lastResult={lastResult}
        id={fields.password.id}
        name={fields.password.name}
        errors={fields.password.errors}
      />
      <Field
        label="Referral code (optional)"
        {...(referralCode && {
          hint: describeCode(referralCode, referralPoints),
        })}
        id={fields.referralCode.id}
        name={fields.referralCode.name}
        defaultValue={fields.referralCode.initialValue}
        errors={fields.referralCode.errors}
        pattern=".{5}"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Button type="submit" variant="ink" size="lg" aria-disabled={busy}>
        {busy ? "Creating your account…" : "Create account"}
      </Button>
      <FormFooter>
        Already a member?{" "}
        <Link to="/auth" className={FOOTER_LINK}>
          Sign in
        </Link>
      </FormFooter>
    </Form>
  );
}

const describeCode = (code: string, points: number | null) =>
  `You were invited with the code ${code}: joining with it starts you with ${points === null ? "" : `${formatNumber(points)} `}extra points.`;
