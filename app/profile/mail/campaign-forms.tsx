import { CodeField } from "../../forms/code-field.tsx";
import { EmailField } from "../../forms/email-field.tsx";
import { EMAIL, VERIFICATION_CODE } from "../../forms/field-rules.ts";
import { FormNotice } from "../../forms/form-notice.tsx";
import { fieldProps, useCheckedForm } from "../../forms/use-checked-form.ts";
import type { Refusal } from "../profile-form.ts";
import { ProfileForm, SubmitButton } from "../section.tsx";

const FORM = "grid gap-3 border-t border-line pt-4.5";

type AddressFormProps = { pendingEmail: string | null; draft: string | undefined; refusal: Refusal | null };

/** Asks for a code at another address; asked for the same one again, it is mailed again. */
export function AddressForm({ pendingEmail, draft, refusal }: AddressFormProps) {
  const intent = "campaign-address";
  const { errors, fields, props } = useCheckedForm<{ email: string }>({
    id: intent,
    lastResult: refusal?.result,
    defaultValue: { email: draft ?? pendingEmail ?? "" },
    messages: { email: EMAIL },
  });
  const notice = <FormNotice>{draft ? "Your session had ended. What you had typed is here again." : null}</FormNotice>;
  return (
    <ProfileForm intent={intent} refusal={refusal} errors={errors} notice={notice} replace {...props} className={FORM}>
      <EmailField
        {...fieldProps(fields.email)}
        label="Another address"
        hint="We mail a code there, to see that it is yours."
        autoComplete="email"
      />
      <div>
        <SubmitButton intent={intent} busy="Mailing…">
          {pendingEmail ? "Mail another code" : "Mail a code"}
        </SubmitButton>
      </div>
    </ProfileForm>
  );
}

/** Shows with the mailed code that the address is the member's. */
export function CodeForm({ pendingEmail, refusal }: { pendingEmail: string; refusal: Refusal | null }) {
  const intent = "campaign-code";
  const messages = { verificationCode: VERIFICATION_CODE };
  const { errors, fields, props } = useCheckedForm<{ verificationCode: string }>({
    id: intent,
    lastResult: refusal?.result,
    messages,
  });
  return (
    <ProfileForm intent={intent} refusal={refusal} errors={errors} replace {...props} className={FORM}>
      <p className="text-ink-2">
        A code was mailed to <strong className="font-strong wrap-anywhere text-ink">{pendingEmail}</strong>. It is good
        for one day.
      </p>
      <CodeField {...fieldProps(fields.verificationCode)} />
      <div>
        <SubmitButton intent={intent} busy="Confirming…" variant="ink">
          Confirm address
        </SubmitButton>
      </div>
    </ProfileForm>
  );
}
