import { EmailField } from "../../forms/email-field.tsx";
import { EMAIL, NEW_PASSWORD } from "../../forms/field-rules.ts";
import { PasswordField } from "../../forms/password-field.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { AuthFooter, AuthForm, type CheckedFormProps } from "../auth-form.tsx";
import { Link } from "../../ui/link.tsx";

/** Signs in with email and password. Works without a script. With one, it shows mistakes before anything is sent. */
export function SignInForm({ lastResult, retryAt, check, notice }: CheckedFormProps) {
  // A password that is too short to be a new one cannot be right, either (product specification, section 5).
  const messages = { email: EMAIL, password: NEW_PASSWORD };
  const { errors, field, props } = useCheckedForm<{ email: string; password: string }>({
    id: "sign-in",
    lastResult,
    messages,
  });
  return (
    <AuthForm
      {...props}
      title="Sign in"
      text="See what your node earned while you were away."
      notice={notice}
      errors={errors}
      retryAt={retryAt}
      check={check}
      submit={["Sign in", "Signing in…"]}
      footer={
        <AuthFooter question="New here?" to="/auth/signup">
          Create an account
        </AuthFooter>
      }
    >
      <EmailField {...field("email")} />
      <PasswordField
        {...field("password")}
        label="Password"
        aside={
          <Link to="/auth/forgot-password" className="text-ink-2 hover:text-ink hover:underline">
            Forgot password?
          </Link>
        }
        // The email stays for another try. The password never does.
        lastResult={lastResult}
        autoComplete="current-password"
        minLength={8}
      />
    </AuthForm>
  );
}
