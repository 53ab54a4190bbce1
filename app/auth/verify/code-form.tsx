import type { SubmissionResult } from "@conform-to/dom";
import type { Resend } from "../../../server/mailed-code/contract.ts";
import { CodeField } from "../../forms/code-field.tsx";
import { VERIFICATION_CODE } from "../../forms/field-rules.ts";
import { FormNotice } from "../../forms/form-notice.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Time } from "../../ui/time.tsx";
import { AuthForm } from "../auth-form.tsx";
import { MailNotArrived, type ResendRefusal } from "../../forms/resend.tsx";
import { Link } from "../../ui/link.tsx";

type CodeFormProps = {
  /** The address that the code was mailed to. */
  email: string;
  resend: Resend;
  lastResult?: SubmissionResult | null | undefined;
  resendRefusal: ResendRefusal | null;
};

/** Takes the code from the email. Helps if the email does not arrive. */
export function CodeForm({ email, resend, lastResult, resendRefusal }: CodeFormProps) {
  const messages = { verificationCode: VERIFICATION_CODE };
  const { errors, field, props } = useCheckedForm<{ verificationCode: string }>({
    id: "verify",
    lastResult,
    messages,
  });
  return (
    <div className="grid gap-6">
      <AuthForm
        {...props}
        title="Confirm your email"
        text={<MailedTo email={email} />}
        notice={<FormNotice>{resend.state === "INITIAL" ? null : <MailedAgain at={resend.timestamp} />}</FormNotice>}
        errors={errors}
        submit={["Confirm", "Confirming…"]}
      >
        <CodeField
          {...field("verificationCode")}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only thing to do here; its label says what for
          autoFocus={!resendRefusal}
        />
      </AuthForm>
      <MailNotArrived resend={resend} refusal={resendRefusal}>
        Wrong address?{" "}
        <Link to="/auth/signup" className="text-ink underline">
          Sign up with another address
        </Link>
        .
      </MailNotArrived>
    </div>
  );
}

const MailedTo = ({ email }: { email: string }) => (
  <>
    We sent a 6-digit code to <strong className="font-strong text-ink">{email}</strong>. It works for one day.
  </>
);

const MailedAgain = ({ at }: { /** In milliseconds. */ at: number }) => (
  <>
    We sent another email at <Time dateTime={new Date(at).toISOString()} className="whitespace-nowrap" />. Only the code
    in it works now.
  </>
);
