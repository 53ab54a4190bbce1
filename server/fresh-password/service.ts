import { asAdministrator } from "../administration/actor.ts";
import { readFreshUntil, requireRole } from "../administration/service.ts";
import { wrongPassword } from "../auth/password/require-password.ts";
import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import { findPassword } from "../auth/queries.ts";
import { beginReauthentication } from "../auth/sign-in/sign-in.ts";
import type { Db, Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Caller, Requester } from "../http/endpoint.ts";
import { notePassword } from "../sessions/service.ts";
import type { AdministratorStanding, ConfirmPasswordInput } from "./contract.ts";

/** Returns who an administrator is, and until when their password counts as given. Throws FORBIDDEN. */
export async function readStanding({ db, now }: Pick<Deps, "db" | "now">, caller: Caller) {
  await requireRole(db, asAdministrator(caller));
  return describeStanding({ db, now }, caller, await requireEmail(db, caller.userId));
}

/**
 * Confirms an administrator's password in the session that makes the call. Counts towards the limits of signing in,
 * because it is a guess at the same password. Throws VALIDATION_ERROR for a wrong password, TOO_MANY_ATTEMPTS,
 * FORBIDDEN, UNAVAILABLE if it cannot be checked now, and UNAUTHENTICATED if the session has ended meanwhile.
 */
export async function confirmPassword(
  deps: Deps,
  provider: Pick<AuthProvider, "provePassword">,
  { password }: ConfirmPasswordInput,
  { caller, client }: Requester,
): Promise<AdministratorStanding> {
  const { userId, sessionId = "" } = caller;
  deps.passwords.ensureRoom();
  const email = await requireEmail(deps.db, userId);
  const attempt = await beginReauthentication(deps, email, client);
  if (!(await provider.provePassword(userId, password))) {
    await attempt.note();
    throw wrongPassword();
  }
  await attempt.succeed();
  return inTransaction(deps.db, async (tx) => {
    await requireRole(tx, asAdministrator(caller), { held: true });
    await notePassword(tx, { userId, sessionId, now: deps.now() });
    return describeStanding({ db: tx, now: deps.now }, caller, email);
  });
}

async function describeStanding(deps: { db: Db | Tx; now: () => Date }, caller: Caller, email: string) {
  const { userId, sessionId } = caller;
  const until = await readFreshUntil(deps, { kind: "administrator", userId, sessionId });
  return { id: userId, email, passwordUntil: until?.toISOString() ?? null };
}

async function requireEmail(db: Db, userId: string): Promise<string> {
  const member = await findPassword(db, userId);
  if (!member) throw new AppError("FORBIDDEN", "Only administrators can do this.");
  return member.email;
}
