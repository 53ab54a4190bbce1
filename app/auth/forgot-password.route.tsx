import { ButtonLink } from "../ui/button.tsx";
import { AuthTitle } from "./auth-layout.tsx";

export default function ForgotPasswordRoute() {
  return (
    <div className="grid gap-5">
      <AuthTitle title="Forgot password" text="A forgotten password is replaced here, with a link we mail you." />
      <p className="text-ink-2">
        Passwords cannot be replaced on this page yet. If you remember yours after all, sign in with it.
      </p>
      <ButtonLink to="/auth" variant="ink" size="lg">
        Back to sign in
      </ButtonLink>
    </div>
  );
}
