import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import type { AuthProvider } from "../provider/auth-provider.ts";

const WRONG = "That is not your password.";

export const wrongPassword = () => new AppError("VALIDATION_ERROR", WRONG, { fields: { password: [WRONG] } });

/**
 * Makes sure that the caller knows the member's password. Attempts count towards the same limit as attempts to change
 * it, because both are guesses at the same password. Throws VALIDATION_ERROR, TOO_MANY_ATTEMPTS, and UNAVAILABLE if the
 * password cannot be checked now.
 */
export async function requirePassword(
  { limits, passwords }: Pick<Deps, "limits" | "passwords">,
  provider: Pick<AuthProvider, "provePassword">,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  passwords.ensureRoom();
  await limits.take(LIMITS.changePasswordByAccount, userId);
  if (!(await provider.provePassword(userId, password))) throw wrongPassword();
}
