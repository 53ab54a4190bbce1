import { AppError } from "../errors.ts";
import { describeWait } from "../rate-limits/rate-limiter.ts";
import type { Resend } from "./contract.ts";

type Step = Exclude<Resend["state"], "NONE">;
export type Rung = { resendState: Step; mailedAt: Date };

/** Seconds to wait on each rung before another mail can be asked for. */
const WAIT: Record<Step, number> = { INITIAL: 60, FIRST_RESEND: 120, SECOND_RESEND: 300, MAX_ATTEMPTS: 3600 };
const NEXT: Record<Step, Step> = {
  INITIAL: "FIRST_RESEND",
  FIRST_RESEND: "SECOND_RESEND",
  SECOND_RESEND: "MAX_ATTEMPTS",
  MAX_ATTEMPTS: "MAX_ATTEMPTS",
};

/** Where the ladder stands with the first mail. */
export const firstRung = (now: Date): Rung => ({ resendState: "INITIAL", mailedAt: now });

/** The rung after one more mail. Throws TOO_MANY_ATTEMPTS while it is too early for that. */
export function climb(rung: Rung, now: Date): Rung {
  const seconds = secondsToWait(rung, now);
  if (seconds === 0) return { resendState: NEXT[rung.resendState], mailedAt: now };
  const message = `Please wait ${describeWait(seconds)} before asking for another mail.`;
  throw new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter: seconds });
}

/** Whole seconds until another mail can be asked for. */
export function secondsToWait({ resendState, mailedAt }: Rung, now: Date): number {
  const end = mailedAt.getTime() + WAIT[resendState] * 1000;
  return Math.max(0, Math.ceil((end - now.getTime()) / 1000));
}

export const toResend = ({ resendState, mailedAt }: Rung): Resend => ({
  state: resendState,
  timestamp: mailedAt.getTime(),
  duration: WAIT[resendState] * 1000,
});
