import { randomInt } from "node:crypto";
import { AppError } from "../errors.ts";
import { describeWait } from "../rate-limits/taking.ts";
import { CODE_ATTEMPTS, VERIFICATION_CODE_LENGTH } from "./contract.ts";
import { secondsToWait, type ResendStep } from "./resend-ladder.ts";
import { formatCount } from "../format-count.ts";

/** Returns six random digits for a mail. */
export const generateCode = (): string =>
  String(randomInt(10 ** VERIFICATION_CODE_LENGTH)).padStart(VERIFICATION_CODE_LENGTH, "0");

/** Stands for a code that was mailed to nobody. Members can enter only digits, so nobody can guess it. */
export const NOBODYS_CODE = "none";

export const invalidCode = (message: string): AppError =>
  new AppError("VALIDATION_ERROR", message, { fields: { verificationCode: [message] } });

/** The error for a wrong code, after this many attempts. */
export function wrongCode(attempts: number): AppError {
  const left = CODE_ATTEMPTS - attempts;
  if (left === 0) return invalidCode("That code is not right, and that was the last attempt. Ask for a new code.");
  return invalidCode(`That code is not right. ${formatCount(left, "attempt")} left.`);
}

/** The error for a code that has no attempts left. */
export function usedUpCode(step: ResendStep, now: Date): AppError {
  const seconds = secondsToWait(step, now);
  const when = seconds > 0 ? `in ${describeWait(seconds)}` : "now";
  const message = `Too many attempts with this code. You can ask for a new one ${when}.`;
  return new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter: seconds });
}
