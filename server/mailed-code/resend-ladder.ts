import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { AppError } from "../errors.ts";
import { emailKey } from "../mail/email-key.ts";
import { describeWait } from "../rate-limits/taking.ts";
import { CODE_ATTEMPTS, type Resend } from "./contract.ts";

type Step = Exclude<Resend["state"], "NONE">;
export type ResendStep = { resendState: Step; mailedAt: Date };

/** How long to wait on each step before the next mail, in seconds. */
const WAIT: Record<Step, number> = { INITIAL: 60, FIRST_RESEND: 120, SECOND_RESEND: 300, MAX_ATTEMPTS: 3600 };
const NEXT: Record<Step, Step> = {
  INITIAL: "FIRST_RESEND",
  FIRST_RESEND: "SECOND_RESEND",
  SECOND_RESEND: "MAX_ATTEMPTS",
  MAX_ATTEMPTS: "MAX_ATTEMPTS",
};

/** The first step of the ladder, after the first mail. */
export const firstResendStep = (now: Date): ResendStep => ({ resendState: "INITIAL", mailedAt: now });

/** Returns the step after one more mail. Throws TOO_MANY_ATTEMPTS if it is too early. */
export function nextResendStep(step: ResendStep, now: Date): ResendStep {
  const seconds = secondsToWait(step, now);
  if (seconds === 0) return { resendState: NEXT[step.resendState], mailedAt: now };
  const message = `Please wait ${describeWait(seconds)} before asking for another email.`;
  throw new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter: seconds });
}

type MailedAddress = ResendStep & { email: string; expiresAt: Date; usedAt?: Date | null };

/**
 * Returns the step after one more mail to an address, given the last request. Another address starts a new ladder, but
 * only when the wait of the last step is over. Throws TOO_MANY_ATTEMPTS until then.
 */
export function nextResendStepFor(asked: MailedAddress | undefined, email: string, now: Date): ResendStep {
  if (!asked || asked.expiresAt <= now) return firstResendStep(now);
  const next = nextResendStep(asked, now);
  return emailKey(asked.email) === emailKey(email) && !asked.usedAt ? next : firstResendStep(now);
}

type MailedCode = MailedAddress & { id: string; codeHash: Buffer; codeAttempts: number };

/**
 * Returns the code that was mailed to an address before, if it still works. If no more may be mailed there, that code
 * keeps working, and the caller is not told. A code that has used up its attempts no longer works.
 */
export function findMailed(asked: MailedCode | undefined, email: string, now: Date) {
  if (!asked || asked.usedAt || asked.expiresAt <= now || emailKey(asked.email) !== emailKey(email)) return undefined;
  if (asked.codeAttempts >= CODE_ATTEMPTS) return undefined;
  const { id, codeHash, expiresAt } = asked;
  return { id, codeHash, expiresAt };
}

/**
 * Returns how many whole seconds to wait before the next mail. Zero if the last one was mailed by a clock that was
 * ahead.
 */
export function secondsToWait({ resendState, mailedAt }: ResendStep, now: Date): number {
  if (mailedAt.getTime() > now.getTime() + MAX_CLOCK_SKEW_MS) return 0;
  const end = mailedAt.getTime() + WAIT[resendState] * 1000;
  return Math.max(0, Math.ceil((end - now.getTime()) / 1000));
}

export const toResend = ({ resendState, mailedAt }: ResendStep): Resend => ({
  state: resendState,
  timestamp: mailedAt.getTime(),
  duration: WAIT[resendState] * 1000,
});
