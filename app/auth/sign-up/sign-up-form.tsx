import { brand } from "../../../brand.ts";
import { EmailField } from "../../forms/email-field.tsx";
import { EMAIL, NEW_PASSWORD, REFERRAL_CODE } from "../../forms/field-rules.ts";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Field } from "../../ui/controls/field.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { AuthFooter, AuthForm, type CheckedFormProps } from "../auth-form.tsx";

type SignUpFormProps = CheckedFormProps & {
  /** The referral code of the link that led here. */
  referralCode: string | null;
  /** How many points a friend's code is worth, or null while the API does not say. */
  referralPoints: number | null;
};

/** Requests an account with email and password, and with a friend's code if there is one. */
export function SignUpForm({ lastResult, retryAt, check, referralCode, referralPoints, notice }: SignUpFormProps) {
  const { errors, field, props } = useCheckedForm<{ email: string; password: string; referralCode: string }>({
    id: "sign-up",
    lastResult,
    defaultValue: { referralCode },
    messages: { email: EMAIL, password: NEW_PASSWORD, referralCode: REFERRAL_CODE },
  });
  return (
    <AuthForm
      {...props}
      title="Create an account"
      text="Confirm your email to start earning points."
      notice={notice}
      errors={errors}
      retryAt={retryAt}
      check={check}
      submit={["Create account", "Creating your account…"]}
      footer={
        <AuthFooter question="Already a member?" to="/auth">
          Sign in
        </AuthFooter>
      }
    >
      <EmailField {...field("email")} />
      <NewPasswordField {...field("password")} label="Password" lastResult={lastResult} />
      <Field
        {...field("referralCode")}
        label="Referral code (optional)"
        {...(referralCode && { hint: describeCode(referralCode, referralPoints) })}
        pattern=".{5}"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Agreement />
    </AuthForm>
  );
}

/** Links to the legal documents in new tabs, so that what was typed stays here. */
function Agreement() {
  const [terms, privacy] = Object.entries(brand.legal).map(([name, href]) => (
    <a key={href} href={href} target="_blank" rel="noreferrer" className="text-ink underline">
      {name}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  ));
  return (
    <p className="text-hint text-ink-2">
      By creating an account you agree to the {terms} and the {privacy}.
    </p>
  );
}

const describeCode = (code: string, points: number | null) =>
  `You were invited with the code ${code}. Sign up with it to start with ${points === null ? "" : `${formatNumber(points)} `}extra points.`;
