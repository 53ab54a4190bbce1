import type { SubmissionResult } from "@conform-to/react";
import { Form, Link, useNavigation } from "react-router";
import { Button } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import { Field } from "../../ui/controls/field.tsx";
import { Time } from "../../ui/time.tsx";
import { AuthTitle } from "../auth-layout.tsx";
import { FormAlert, FormNotice } from "../../forms/form-notice.tsx";
import { MailNotArrived, type ResendRefusal } from "../resend.tsx";
import type { Resend } from "../../../server/mailed-code/contract.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { SIX_DIGITS, VERIFICATION_CODE } from "../../forms/field-rules.ts";

type CodeFormProps = {
  /** Where the code was mailed to. */
  email: string;
  resend: Resend;
  lastResult?: SubmissionResult | null | undefined;
  resendRefusal: ResendRefusal | null;
};

/** The words of VerifyInput (server/auth/contract.ts), for what the browser can tell without asking the server. */
const MESSAGES: ConstraintMessages = {
  verificationCode: VERIFICATION_CODE,
};

/** The code of the mail, and what to do when there is no mail. */
export function CodeForm({ email, resend, lastResult, resendRefusal }: CodeFormProps) {
  const busy = useNavigation().formData?.has("verificationCode") ?? false;
  const [form, fields, formProps] = useCheckedForm<{ verificationCode: string }>({
    id: "verify",
    lastResult,
    messages: MESSAGES,
  });

  return (
    <div className="grid gap-6">
      <Form method="post" replace {...formProps} className="grid gap-5">
        <AuthTitle title="Confirm your email" text={<MailedTo email={email} />} />
        <FormNotice>{resend.state === "INITIAL" ? null : <MailedAgain at={resend.timestamp} />}</FormNotice>
        <FormAlert errors={form.errors} />
        <Field
          label="Code"
          id={fields.verificationCode.id}
          name={fields.verificationCode.name}
          errors={fields.verificationCode.errors}
          className="num text-brand tracking-[0.2em]"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={SIX_DIGITS}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do here; its label says what for
          autoFocus={!resendRefusal}
        />
        <Button type="submit" variant="ink" size="lg" aria-disabled={busy}>
          {busy ? "Confirming…" : "Confirm"}
        </Button>
      </Form>
      <MailNotArrived resend={resend} refusal={resendRefusal}>
        Is the address right? If not,{" "}
        <Link to="/auth/signup" className="text-ink underline underline-offset-2">
          sign up with another
        </Link>
        .
      </MailNotArrived>
    </div>
  );
}

const MailedTo = ({ email }: { email: string }) => (
  <>
    We mailed a code of 6 digits to <strong className="font-strong text-ink">{email}</strong>. It is good for one day.
  </>
);

const MailedAgain = ({ at }: { /** In milliseconds. */ at: number }) => (
  <>
    Another mail was sent at <Time dateTime={new Date(at).toISOString()} className="whitespace-nowrap" />. Only its code
    counts now.
  </>
);
