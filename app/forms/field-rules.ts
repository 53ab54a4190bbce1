import type { ConstraintMessages } from "../ui/controls/constraint-errors.ts";

/*
 * What is said of a field before it is sent: word for word what its contract says of it afterwards, which
 * field-rules.test.ts compares. The contracts themselves would bring zod into the browser.
 */

type Rules = ConstraintMessages[string];

export const EMAIL: Rules = [
  ["valueMissing", "Enter your email."],
  ["typeMismatch", "Enter a valid email."],
];

export const PASSWORD: Rules = [["valueMissing", "Enter your password."]];

export const NEW_PASSWORD: Rules = [...PASSWORD, ["tooShort", "Use at least 8 characters."]];

export const VERIFICATION_CODE: Rules = [
  ["valueMissing", "Enter the code."],
  ["patternMismatch", "Enter the 6 digits of the code."],
];

export const REFERRAL_CODE: Rules = [["patternMismatch", "Invalid referral code"]];

/** Six digits, however the mail's reader has copied them. */
export const SIX_DIGITS = "[\\s\\-]*(\\d[\\s\\-]*){6}";
