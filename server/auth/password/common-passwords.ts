import { dictionary } from "@zxcvbn-ts/language-common";
import { AppError } from "../../errors.ts";
import { PASSWORD_MIN_LENGTH } from "../contract.ts";

/** Fifty thousand passwords that leaks have shown to be common, in lower case; shorter ones are refused anyway. */
const COMMON = new Set(dictionary["passwords-common"].filter((word) => word.length >= PASSWORD_MIN_LENGTH));

/** Throws VALIDATION_ERROR for a password that is among the first that anybody would try for this member. */
export function refuseCommonPassword(password: string, email: string, field = "password"): void {
  const guess = password.trim().toLowerCase();
  const [name = ""] = email.toLowerCase().split("@");
  if (!COMMON.has(guess) && guess !== email.toLowerCase() && guess !== name && !isOneCharacter(guess)) return;
  const message = "That password is one of the first that others would try. Choose another.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { [field]: [message] } });
}

const isOneCharacter = (password: string) => new Set(password).size === 1;
