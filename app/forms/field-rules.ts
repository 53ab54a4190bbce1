import type { ConstraintMessages } from "../ui/controls/constraint-errors.ts";

/*
 * The messages for a field before it is sent. They are word for word those of its contract, which field-rules.test.ts
 * compares. The contracts themselves would bring zod into the browser.
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

/** Six digits, however the reader has copied them from the email. */
export const SIX_DIGITS = "[\\s\\-]*(\\d[\\s\\-]*){6}";
