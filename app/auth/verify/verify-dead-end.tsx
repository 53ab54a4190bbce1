import type { ReactNode } from "react";
import { ButtonLink } from "../../ui/controls/button.tsx";
import { DeadEnd, RetryTime } from "../dead-end.tsx";
import { ResendForm } from "../resend.tsx";
import type { VerifyDeadEnd as Kind } from "./verify-actions.ts";
import type { Resend } from "../../../server/mailed-code/contract.ts";

type VerifyDeadEndProps = {
  kind: Kind;
  /** What the server says about the code. */
  message: string | undefined;
  /** When to try again, as ISO 8601, after too many attempts. */
  retryAt: string | undefined;
  /** Where the ladder of resends stands, when this browser's sign-up is what cannot go on. */
  resend: Resend | undefined;
};

const TEXTS: Record<Exclude<Kind, "attempts">, { title: string; text: string }> = {
  expired: {
    title: "This sign-up has expired",
    text: "Its code and its link are good for one day. Sign up again, and we mail you new ones.",
  },
  used: {
    title: "Your email is confirmed already",
    text: "This link or code was used before, and it works once. Sign in with your password.",
  },
  taken: {
    title: "This address has an account",
    text: "It was confirmed by another sign-up. Sign in with the password of that one.",
  },
};

/** Why an email cannot be confirmed, and the way on. */
export function VerifyDeadEnd({ kind, ...rest }: VerifyDeadEndProps) {
  if (kind === "attempts") return <TooManyAttempts {...rest} />;
  return <DeadEnd {...TEXTS[kind]}>{WAYS_ON[kind]}</DeadEnd>;
}

const SIGN_IN_OR_RESET = (
  <div className="grid gap-2.5">
    <ButtonLink to="/auth" variant="ink" size="lg">
      Sign in
    </ButtonLink>
    <ButtonLink to="/auth/forgot-password" size="lg">
      Forgot password?
    </ButtonLink>
  </div>
);

const WAYS_ON: Record<Exclude<Kind, "attempts">, ReactNode> = {
  expired: (
    <div className="grid gap-2.5">
      <ButtonLink to="/auth/signup" variant="ink" size="lg">
        Sign up again
      </ButtonLink>
      <ButtonLink to="/auth" size="lg">
        Sign in
      </ButtonLink>
    </div>
  ),
  used: SIGN_IN_OR_RESET,
  taken: SIGN_IN_OR_RESET,
};

function TooManyAttempts({ message, retryAt, resend }: Omit<VerifyDeadEndProps, "kind">) {
  return (
    <DeadEnd title="Too many attempts" text={resend ? message : "Please wait a little, then try again."}>
      {resend ? <ResendForm resend={resend} /> : <RetryTime at={retryAt} />}
      <div className="grid gap-2.5">
        <ButtonLink to="/auth/verify" variant={resend ? "quiet" : "ink"} size="lg" reloadDocument>
          Try again
        </ButtonLink>
        <ButtonLink to="/auth" size="lg">
          Sign in
        </ButtonLink>
      </div>
    </DeadEnd>
  );
}
