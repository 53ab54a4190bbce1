import { CodeField } from "../../forms/code-field.tsx";
import { EmailField } from "../../forms/email-field.tsx";
import { EMAIL, VERIFICATION_CODE } from "../../forms/field-rules.ts";
import { DraftNotice, ProfileForm, SubmitButton, useProfileForm } from "../section.tsx";

const FORM = "grid gap-3 border-t border-line pt-4.5 *:max-w-120";

type AddressFormProps = { pendingEmail: string | null; draft: string | undefined };

/** Requests a code at another address. For the same address, the code is mailed again. */
export function AddressForm({ pendingEmail, draft }: AddressFormProps) {
  const { field, props } = useProfileForm<{ email: string }>("campaign-address", {
    defaultValue: { email: draft ?? pendingEmail ?? "" },
    messages: { email: EMAIL },
  });
  return (
    <ProfileForm {...props} notice={<DraftNotice shown={Boolean(draft)} />} className={FORM}>
      <EmailField
        {...field("email")}
        label="Another address"
        hint="We send a code to this address to check that it is yours."
        autoComplete="email"
      />
      <div>
        <SubmitButton intent="campaign-address" busy="Sending…">
          {pendingEmail ? "Send another code" : "Send a code"}
        </SubmitButton>
      </div>
    </ProfileForm>
  );
}

/** Takes the code that proves that the address is the member's. */
export function CodeForm({ pendingEmail }: { pendingEmail: string }) {
  const messages = { verificationCode: VERIFICATION_CODE };
  const { field, props } = useProfileForm<{ verificationCode: string }>("campaign-code", { messages });
  return (
    <ProfileForm {...props} takesCode className={FORM}>
      <p className="text-ink-2">
        We sent a 6-digit code to <strong className="font-strong wrap-anywhere text-ink">{pendingEmail}</strong>. It
        works for one day.
      </p>
      <CodeField {...field("verificationCode")} />
      <div>
        <SubmitButton intent="campaign-code" busy="Confirming…" variant="ink">
          Confirm address
        </SubmitButton>
      </div>
    </ProfileForm>
  );
}
