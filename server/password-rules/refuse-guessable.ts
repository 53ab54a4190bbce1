import { dictionary } from "@zxcvbn-ts/language-common";
import { AppError } from "../errors.ts";
import { isObvious, PASSWORD_MIN_LENGTH } from "./contract.ts";

/** Fifty thousand common passwords from leaks, in lower case. Shorter ones are refused for their length. */
const LEAKED = new Set(dictionary["passwords-common"].filter((word) => word.length >= PASSWORD_MIN_LENGTH));

/** Throws VALIDATION_ERROR for a password that is among the first anybody would try for this member. */
export function refuseGuessable(password: string, email: string): void {
  if (!LEAKED.has(password.trim().toLowerCase()) && !isObvious(password, email)) return;
  throw guessable();
}

/** Creates the error for a guessable password, whichever check found it. */
export function guessable(cause?: unknown): AppError {
  const message = "That password is too easy to guess. Choose another.";
  return new AppError("VALIDATION_ERROR", message, { fields: { password: [message] }, cause });
}
