import { NEW_PASSWORD } from "../../forms/field-rules.ts";
import { NewPasswordField } from "../../forms/new-password-field.tsx";
import { PasswordField, PasswordOwner } from "../../forms/password-field.tsx";
import { ProfileForm, Section, SubmitButton, useFormKey, useProfileForm } from "../section.tsx";
import { Link } from "../../ui/link.tsx";

type SignInCardProps = {
  /** The address that the member signs in with. */
  email: string;
  /** Whether the password can be changed here. */
  hasPassword: boolean;
};

/** What the member signs in with. */
export function SignInCard({ email, hasPassword }: SignInCardProps) {
  const formKey = useFormKey("password");
  return (
    <Section id="password" title="Email and password">
      <div className="grid gap-5">
        <div className="grid gap-1">
          <p className="text-ink-2">
            You sign in as <strong className="font-strong wrap-anywhere text-ink">{email}</strong>.
          </p>
          <p className="text-hint text-ink-3">
            Codes, links and security notices go to this address. To use another one,{" "}
            <Link to="/privacy#contact" className="text-ink-2 underline underline-offset-2">
              write to us
            </Link>{" "}
            from this one.
          </p>
        </div>
        {hasPassword && <PasswordForm key={formKey} email={email} />}
      </div>
    </Section>
  );
}

/** Changes the password, with the current one as the proof. Nothing that was typed comes back from the server. */
function PasswordForm({ email }: { email: string }) {
  const { field, lastResult, props } = useProfileForm<{ currentPassword: string; password: string }>("password", {
    messages: { currentPassword: [["valueMissing", "Enter your current password."]], password: NEW_PASSWORD },
  });
  return (
    <ProfileForm {...props} className="grid gap-4">
      <PasswordOwner email={email} />
      <div className="grid items-start gap-4 @2xl/page:grid-cols-2">
        <PasswordField
          {...field("currentPassword")}
          label="Current password"
          lastResult={lastResult}
          autoComplete="current-password"
          maxLength={1024}
        />
        <NewPasswordField {...field("password")} label="New password" lastResult={lastResult} maxLength={256} />
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
