import { dictionary } from "@zxcvbn-ts/language-common";
import { AppError } from "../../errors.ts";
import { PASSWORD_MIN_LENGTH } from "../contract.ts";
import { isObvious } from "../../password-rules/contract.ts";

/** Fifty thousand passwords that leaks have shown to be common, in lower case; shorter ones are refused anyway. */
const COMMON = new Set(dictionary["passwords-common"].filter((word) => word.length >= PASSWORD_MIN_LENGTH));

/** Throws VALIDATION_ERROR for a password that is among the first that anybody would try for this member. */
export function refuseCommonPassword(password: string, email: string, field = "password"): void {
  if (!COMMON.has(password.trim().toLowerCase()) && !isObvious(password, email)) return;
  const message = "That password is too easy to guess. Choose another.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { [field]: [message] } });
}
