import { NEW_PASSWORD } from "../../forms/field-rules.ts";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import {
  CurrentEmail,
  ProfileForm,
  Section,
  SubmitButton,
  useFormKey,
  useProfileForm,
  WriteToUs,
} from "../section.tsx";
import { ButtonLink } from "../../ui/controls/button.tsx";
import { CHANGE_EMAIL } from "../profile-view.ts";

type SignInCardProps = {
  /** The address that the member signs in with. */
  email: string;
  /** Whether the backend can change the address and the password. */
  canChange: boolean;
};

/** Shows the email that the member signs in with, and changes the email or the password. */
export function SignInCard({ email, canChange }: SignInCardProps) {
  const formKey = useFormKey("password");
  return (
    <Section id="password" title="Email and password">
      <div className="grid gap-5">
        <div className="grid gap-1">
          <CurrentEmail email={email} />
          <p className="text-hint text-ink-3">Codes, links and security notices go to this address.</p>
          {!canChange && <WriteToUs />}
        </div>
        {canChange && (
          <>
            <div>
              <ButtonLink to={CHANGE_EMAIL}>Change email</ButtonLink>
            </div>
            <PasswordForm key={formKey} email={email} />
          </>
        )}
      </div>
    </Section>
  );
}

/** Changes the password. The current one proves who asks. The server never sends back what was typed. */
function PasswordForm({ email }: { email: string }) {
  const { field, lastResult, props } = useProfileForm<{ currentPassword: string; password: string }>("password", {
    messages: { currentPassword: [["valueMissing", "Enter your current password."]], password: NEW_PASSWORD },
  });
  return (
    <ProfileForm {...props} className="grid gap-4 border-t border-line pt-4.5">
      <PasswordOwner email={email} />
      <div className="grid items-start gap-4 @2xl/page:grid-cols-2">
        <PasswordField
          {...field("currentPassword")}
          label="Current password"
          lastResult={lastResult}
          autoComplete="current-password"
          maxLength={1024}
        />
        <NewPasswordField {...field("password")} label="New password" lastResult={lastResult} />
      </div>
      <div className="grid justify-items-start gap-2.5">
        <SubmitButton intent="password" busy="Changing…" variant="ink">
          Change password
        </SubmitButton>
        <p className="text-hint text-ink-3">This signs you out on all other devices.</p>
      </div>
    </ProfileForm>
  );
}
