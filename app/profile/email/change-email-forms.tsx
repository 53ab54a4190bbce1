import { CodeField } from "../../forms/code-field.tsx";
import { EmailField } from "../../forms/email-field.tsx";
import { EMAIL, PASSWORD, VERIFICATION_CODE } from "../../forms/field-rules.ts";
import { MemberField } from "../../forms/member-field.tsx";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { MailNotArrived } from "../../forms/resend.tsx";
import { ButtonLink } from "../../ui/controls/button.tsx";
import type { EmailChange } from "../../../server/email-change/contract.ts";
import { CHANGE_EMAIL, EMAIL_DRAFT, PROFILE } from "../profile-view.ts";
import { CurrentEmail, DraftNotice, ProfileForm, SubmitButton, useProfileForm, useRefusal } from "../section.tsx";

type RequestFormProps = {
  /** The address that the member signs in with now. */
  email: string;
  draft: string | undefined;
};

/** Requests a code at another address. The password proves who asks. */
export function RequestForm({ email, draft }: RequestFormProps) {
  const { field, lastResult, props } = useProfileForm<{ email: string; password: string }>("email", {
    defaultValue: { email: draft ?? "" },
    messages: { email: EMAIL, password: PASSWORD },
  });
  return (
    <ProfileForm
      {...props}
      action={CHANGE_EMAIL}
      data-draft={EMAIL_DRAFT}
      notice={<DraftNotice shown={Boolean(draft)} />}
      className="grid gap-4"
    >
      <CurrentEmail email={email} />
      <EmailField
        {...field("email")}
        label="New email"
        hint="We send a code to this address to check that it is yours."
        autoComplete="email"
      />
      <PasswordOwner email={email} />
      <PasswordField
        {...field("password")}
        label="Your password"
        lastResult={lastResult}
        autoComplete="current-password"
        maxLength={1024}
      />
      <div className="flex flex-wrap gap-2.5">
        <SubmitButton intent="email" busy="Sending…" variant="ink">
          Send a code
        </SubmitButton>
        <ButtonLink to={PROFILE}>Cancel</ButtonLink>
      </div>
    </ProfileForm>
  );
}

type CodeFormProps = NonNullable<EmailChange["pending"]> & {
  /** The address that the member signs in with until the change. */
  current: string;
};

/** Takes the code that proves that the address is the member's. Helps if the email does not arrive. */
export function CodeForm({ email, resend, current }: CodeFormProps) {
  const messages = { verificationCode: VERIFICATION_CODE };
  const { field, props } = useProfileForm<{ verificationCode: string }>("code", { messages });
  const refused = useRefusal("resend");
  const message = refused?.result.error?.[""]?.join(" ");
  return (
    <div className="grid gap-6">
      <ProfileForm {...props} takesCode action={CHANGE_EMAIL} className="grid gap-4">
        <p className="text-ink-2">
          We sent a 6-digit code to <strong className="font-strong wrap-anywhere text-ink">{email}</strong>. It works
          for one day. Until you enter it, you sign in as{" "}
          <strong className="font-strong wrap-anywhere text-ink">{current}</strong>.
        </p>
        <CodeField {...field("verificationCode")} />
        <div className="grid justify-items-start gap-2.5">
          <SubmitButton intent="code" busy="Changing…" variant="ink">
            Change email
          </SubmitButton>
          <p className="text-hint text-ink-3">This signs you out on all other devices.</p>
        </div>
      </ProfileForm>
      <MailNotArrived
        resend={resend}
        refusal={message ? { message, retryAt: refused?.retryAt } : null}
        within={<MemberField />}
      >
        Wrong address? Ask for a code at a different one below.
      </MailNotArrived>
    </div>
  );
}
