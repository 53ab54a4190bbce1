import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import type { AuthProvider } from "../provider/auth-provider.ts";

const WRONG = "That is not your password.";

export const wrongPassword = () => new AppError("VALIDATION_ERROR", WRONG, { fields: { password: [WRONG] } });

/**
 * Makes sure that whoever asks knows the member's password. Tries count with those at changing it, as they are guesses
 * at the same one. Throws VALIDATION_ERROR, TOO_MANY_ATTEMPTS, and UNAVAILABLE when it cannot be checked now.
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
