import { Form, useNavigation } from "react-router";
import { FormAlert, FormNotice } from "../../forms/form-notice.tsx";
import { Button } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import { Field } from "../../ui/controls/field.tsx";
import type { Refusal } from "../profile-form.ts";
import { PROFILE } from "../profile-view.ts";
import { FormFacts } from "../section.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { EMAIL, SIX_DIGITS, VERIFICATION_CODE } from "../../forms/field-rules.ts";

/** The words of server/campaign-mail/contract.ts, for what the browser can tell without asking the server. */
const MESSAGES: ConstraintMessages = {
  email: EMAIL,
  verificationCode: VERIFICATION_CODE,
};

const FORM = "grid gap-3 border-t border-line pt-4.5";

type AddressFormProps = { pendingEmail: string | null; draft: string | undefined; refusal: Refusal | null };

/** Asks for a code at another address; asked for the same one again, it is mailed again. */
export function AddressForm({ pendingEmail, draft, refusal }: AddressFormProps) {
  const busy = useNavigation().formData?.get("intent") === "campaign-address";
  const [form, fields, formProps] = useCheckedForm<{ email: string }>({
    id: "campaign-address",
    lastResult: refusal?.result,
    defaultValue: { email: draft ?? pendingEmail ?? "" },
    messages: MESSAGES,
  });
  return (
    <Form method="post" action={PROFILE} replace preventScrollReset {...formProps} className={FORM}>
      <FormFacts intent="campaign-address" />
      <FormNotice>{draft ? "Your session had ended. What you had typed is here again." : null}</FormNotice>
      <FormAlert errors={form.errors} retryAt={refusal?.retryAt} />
      <Field
        label="Another address"
        id={fields.email.id}
        name={fields.email.name}
        defaultValue={fields.email.initialValue}
        errors={fields.email.errors}
        hint="We mail a code there, to see that it is yours."
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        required
        maxLength={254}
      />
      <div>
        <Button type="submit" aria-disabled={busy}>
          {busy ? "Mailing…" : pendingEmail ? "Mail another code" : "Mail a code"}
        </Button>
      </div>
    </Form>
  );
}

/** Shows with the mailed code that the address is the member's. */
export function CodeForm({ pendingEmail, refusal }: { pendingEmail: string; refusal: Refusal | null }) {
  const busy = useNavigation().formData?.get("intent") === "campaign-code";
  const [form, fields, formProps] = useCheckedForm<{ verificationCode: string }>({
    id: "campaign-code",
    lastResult: refusal?.result,
    messages: MESSAGES,
  });
  return (
    <Form method="post" action={PROFILE} replace preventScrollReset {...formProps} className={FORM}>
      <FormFacts intent="campaign-code" />
      <FormAlert errors={form.errors} retryAt={refusal?.retryAt} />
      <p className="text-ink-2">
        A code was mailed to <strong className="font-strong wrap-anywhere text-ink">{pendingEmail}</strong>. It is good
        for one day.
      </p>
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
      />
      <div>
        <Button type="submit" variant="ink" aria-disabled={busy}>
          {busy ? "Confirming…" : "Confirm address"}
        </Button>
      </div>
    </Form>
  );
}
