import { isObvious, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../../server/password-rules/contract.ts";

/** From this length on, guessing is hopeless whatever the characters are (NIST SP 800-63B-4, section 3.1.1.2). */
const STRONG_LENGTH = 15;

/** How strong a new password is. `unknown` while it may still be one that everyone tries. */
export type Strength = "empty" | "short" | "long" | "common" | "unknown" | "fair" | "strong";

/**
 * Judges a new password before it is sent. A password that the server refuses (server/password-rules) is never fair or
 * strong, which password-strength.test.ts checks. `leaked` is null until the passwords have loaded.
 */
export function judgePassword(password: string, email: string, leaked: ReadonlySet<string> | null): Strength {
  const length = Array.from(password).length;
  if (length === 0) return "empty";
  if (length < PASSWORD_MIN_LENGTH) return "short";
  if (length > PASSWORD_MAX_LENGTH) return "long";
  if (isObvious(password, email.trim())) return "common";
  if (!leaked) return "unknown";
  if (leaked.has(password.trim().toLowerCase())) return "common";
  return length < STRONG_LENGTH ? "fair" : "strong";
}
