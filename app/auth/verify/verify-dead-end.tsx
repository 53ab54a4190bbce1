import type { ComponentProps } from "react";
import { DeadEnd, RetryTime } from "../dead-end.tsx";
import { ResendForm } from "../../forms/resend.tsx";
import type { VerifyDeadEnd as Kind } from "./verify-actions.ts";
import type { Resend } from "../../../server/mailed-code/contract.ts";

type VerifyDeadEndProps = {
  kind: Kind;
  /** The server's message about the code. */
  message: string | undefined;
  /** When to try again, as ISO 8601, after too many attempts. */
  retryAt: string | undefined;
  /** The state of resends, if this browser's sign-up is what cannot go on. */
  resend: Resend | undefined;
  /** Whether a sign-up of this browser waits for its code. */
  isWaiting: boolean;
};

const ENTER_CODE = { to: "/auth/verify", words: "Enter the code", reloads: true };
const SIGN_UP = { to: "/auth/signup", words: "Sign up again" };
const SIGN_IN = { to: "/auth", words: "Sign in" };
const SIGN_IN_OR_RESET = [SIGN_IN, { to: "/auth/forgot-password", words: "Forgot password?" }];

const ENDS: Record<Exclude<Kind, "attempts">, ComponentProps<typeof DeadEnd>> = {
  expired: {
    title: "This sign-up has expired",
    text: "The code and the link work for one day. Sign up again to get new ones.",
    ways: [SIGN_UP, SIGN_IN],
  },
  used: {
    title: "Your email is already confirmed",
    text: "This link or code has already been used. Sign in with your password.",
    ways: SIGN_IN_OR_RESET,
  },
  taken: {
    title: "This address already has an account",
    text: "Sign in with the password of that account. If you do not know it, choose a new one.",
    ways: SIGN_IN_OR_RESET,
  },
  several: {
    title: "Use the code from the email",
    text: "There is more than one sign-up with this address, and a link cannot tell which one is yours. Enter the code from our email in the browser where you signed up.",
    ways: [ENTER_CODE, SIGN_UP],
  },
  lost: {
    title: "Open the link in the email again",
    text: "This browser no longer has the link. If the email is more than a day old, sign up again.",
    ways: [ENTER_CODE, SIGN_UP, SIGN_IN],
  },
};

/** Says why an email address cannot be confirmed, and where to go on. */
export function VerifyDeadEnd({ kind, isWaiting, ...rest }: VerifyDeadEndProps) {
  if (kind === "attempts") return <TooManyAttempts {...rest} />;
  const { ways, ...end } = ENDS[kind];
  return <DeadEnd {...end} ways={ways.filter((way) => isWaiting || way !== ENTER_CODE)} />;
}

function TooManyAttempts({ message, retryAt, resend }: Omit<VerifyDeadEndProps, "kind" | "isWaiting">) {
  return (
    <DeadEnd
      title="Too many attempts"
      text={resend ? message : "Wait a moment, then try again."}
      // The last code may be used up. It still works if only this client has tried too often.
      ways={[{ to: "/auth/verify", words: resend ? "Enter a code" : "Try again", reloads: true }, SIGN_IN]}
      quiet={resend !== undefined}
    >
      {resend ? <ResendForm resend={resend} /> : <RetryTime at={retryAt} />}
    </DeadEnd>
  );
}
