import { ButtonLink } from "../ui/button.tsx";
import { AuthTitle } from "./auth-layout.tsx";

export default function VerifyRoute() {
  return (
    <div className="grid gap-5">
      <AuthTitle
        title="Confirm your email"
        text="New members confirm their email address here, with a code we mail them."
      />
      <p className="text-ink-2">
        No address is waiting to be confirmed. If you already have an account, sign in with it.
      </p>
      <ButtonLink to="/auth" variant="ink" size="lg">
        Sign in
      </ButtonLink>
    </div>
  );
}
