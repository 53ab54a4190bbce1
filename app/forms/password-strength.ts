import { isObvious } from "../../server/password-rules/contract.ts";

/** As PASSWORD_MIN_LENGTH and PASSWORD_MAX_LENGTH (server/auth/contract.ts), without zod in the browser. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 256;
/** From this many characters on, guessing is hopeless whatever they are (NIST SP 800-63B-4, section 3.1.1.2). */
const STRONG_LENGTH = 15;

/** What a new password is worth; `unknown` while it may be one that everybody tries. */
export type Strength = "empty" | "short" | "long" | "common" | "unknown" | "fair" | "strong";

/**
 * What can be said of a new password before it is sent. What the server refuses (server/auth/password/common-passwords.ts)
 * is never fair or strong, which password-strength.test.ts compares. `common`: null until they are there.
 */
export function judgePassword(password: string, email: string, common: ReadonlySet<string> | null): Strength {
  const length = Array.from(password).length;
  if (length === 0) return "empty";
  if (length < MIN_LENGTH) return "short";
  if (password.length > MAX_LENGTH) return "long";
  if (isObvious(password, email.trim())) return "common";
  if (!common) return "unknown";
  if (common.has(password.trim().toLowerCase())) return "common";
  return length < STRONG_LENGTH ? "fair" : "strong";
}
