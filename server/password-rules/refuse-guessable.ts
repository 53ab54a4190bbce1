import { dictionary } from "@zxcvbn-ts/language-common";
import { AppError } from "../errors.ts";
import { isObvious, PASSWORD_MIN_LENGTH } from "./contract.ts";

/** Fifty thousand passwords that leaks have shown to be common, in lower case; shorter ones are refused anyway. */
const LEAKED = new Set(dictionary["passwords-common"].filter((word) => word.length >= PASSWORD_MIN_LENGTH));

/** Throws VALIDATION_ERROR for a password that is among the first that anybody would try for this member. */
export function refuseGuessable(password: string, email: string, field = "password"): void {
  if (!LEAKED.has(password.trim().toLowerCase()) && !isObvious(password, email)) return;
  const message = "That password is too easy to guess. Choose another.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { [field]: [message] } });
}
