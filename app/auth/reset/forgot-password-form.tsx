import { EmailField } from "../../forms/email-field.tsx";
import { EMAIL } from "../../forms/field-rules.ts";
import { FormNotice } from "../../forms/form-notice.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { AuthFooter, AuthForm, type CheckedFormProps } from "../auth-form.tsx";

/** Requests the email with a link to choose a new password. */
export function ForgotPasswordForm({ lastResult, retryAt, check, notice }: CheckedFormProps) {
  const { errors, field, props } = useCheckedForm<{ email: string }>({
    id: "forgot-password",
    lastResult,
    messages: { email: EMAIL },
  });
  return (
    <AuthForm
      {...props}
      title="Forgot password"
      text="Enter your email and we will send you a link to choose a new password."
      notice={<FormNotice>{notice}</FormNotice>}
      errors={errors}
      retryAt={retryAt}
      check={check}
      submit={["Send the link", "Sending…"]}
      footer={
        <AuthFooter question="Remembered it?" to="/auth">
          Sign in
        </AuthFooter>
      }
    >
      <EmailField {...field("email")} />
    </AuthForm>
  );
}
