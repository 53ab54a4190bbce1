import type { ReactNode } from "react";
import type { Resend } from "../../server/auth/contract.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Time } from "../ui/time.tsx";
import { DeadEnd } from "./dead-end.tsx";
import { ResendForm } from "./resend.tsx";
import type { VerifyDeadEnd as Kind } from "./verify-actions.ts";

type VerifyDeadEndProps = {
  kind: Kind;
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
export function VerifyDeadEnd({ kind, retryAt, resend }: VerifyDeadEndProps) {
  if (kind === "attempts") return <TooManyAttempts retryAt={retryAt} resend={resend} />;
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

function TooManyAttempts({ retryAt, resend }: Omit<VerifyDeadEndProps, "kind">) {
  const when = retryAt && (
    <>
      {" "}
      at <Time dateTime={retryAt} className="whitespace-nowrap" />
    </>
  );
  if (!resend) {
    return (
      <DeadEnd title="Too many attempts" text={<>Please wait a little, then try again{when}.</>}>
        <ButtonLink to="/auth/verify" variant="ink" size="lg" reloadDocument>
          Try again
        </ButtonLink>
      </DeadEnd>
    );
  }
  return (
    <DeadEnd
      title="Too many attempts"
      text={<>This code was tried too often. Ask for another mail{when}: its code comes with new attempts.</>}
    >
      <ResendForm resend={resend} />
    </DeadEnd>
  );
}
