import { DeadEnd, RetryTime } from "../dead-end.tsx";

const TEXTS = {
  expired: { title: "This link has expired", text: "Links work for one hour. Ask for a new one." },
  used: {
    title: "This link has already been used",
    text: "Links work once. If you still need a new password, ask for a new link.",
  },
  recovery: {
    title: "Your time has run out",
    text: "You have 15 minutes to choose a password after you open the link. Ask for a new one.",
  },
  over: {
    title: "This request is over",
    text: "If you have just chosen a new password, sign in with it. If not, ask for a new link.",
  },
  request: { title: "This request has expired", text: "Requests last for one hour. Ask for a new link." },
  attempts: { title: "Too many attempts", text: "Wait a moment, then try again." },
};

export type ResetDeadEndKind = keyof typeof TEXTS;

type ResetDeadEndProps = { kind: ResetDeadEndKind; /** When to try again, as ISO 8601. */ retryAt: string | undefined };

/** Says why the password cannot be replaced this way, and where to go on. */
export function ResetDeadEnd({ kind, retryAt }: ResetDeadEndProps) {
  const { title, text } = TEXTS[kind];
  const again =
    kind === "attempts"
      ? { to: "/auth/reset-password", words: "Try again", reloads: true }
      : { to: "/auth/forgot-password", words: "Ask for a new link", reloads: true };
  return (
    <DeadEnd title={title} text={text} ways={[again, { to: "/auth", words: "Sign in" }]}>
      <RetryTime at={retryAt} />
    </DeadEnd>
  );
}
