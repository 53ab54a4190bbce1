import { isObvious, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../../server/password-rules/contract.ts";

/** From this many characters on, guessing is hopeless whatever they are (NIST SP 800-63B-4, section 3.1.1.2). */
const STRONG_LENGTH = 15;

/** What a new password is worth; `unknown` while it may be one that everybody tries. */
export type Strength = "empty" | "short" | "long" | "common" | "unknown" | "fair" | "strong";

/**
 * What can be said of a new password before it is sent. What the server refuses (server/password-rules)
 * is never fair or strong, which password-strength.test.ts compares. `leaked`: null until they are there.
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
