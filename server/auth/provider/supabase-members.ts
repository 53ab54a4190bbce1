import type { Session, User } from "@supabase/auth-js";
import type { Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import type { Client } from "../../http/client.ts";
import { emailKey } from "../../mail/email-key.ts";
import { findAccount } from "../queries.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { findOpenSignUp, useSignUp, type SignUp } from "../sign-up/sign-up.queries.ts";
import { admitNewcomer, enrol } from "../sign-up/sign-up.ts";
import { syncAddress } from "./supabase-address.ts";
import type { SupabaseDeps } from "./supabase-client.ts";
import { toProviderSession, endRefused } from "./supabase-sessions.ts";
import { findMember } from "./supabase.queries.ts";

type Arrival = {
  session: Session;
  client: Client;
  signUp?: SignUp | undefined;
  byPassword?: boolean | undefined;
};

/**
 * Starts a session of ours backed by one of Supabase's. Creates a member if the user comes for the first time. Throws
 * FORBIDDEN for a blocked member, and if the address belongs to a member who is another user at Supabase.
 */
export async function admit(deps: SupabaseDeps, { session, client, signUp, byPassword }: Arrival) {
  const { user } = session;
  await syncAddress(deps, user);
  const providerSession = toProviderSession(deps, session);
  return inTransaction(deps.db, async (tx) => {
    const member = await findMember(tx, user);
    if (signUp) await useSignUp(tx, { id: signUp.id, now: deps.now() });
    if (!member) {
      const newcomer = await toNewcomer(deps, tx, { user, signUp: signUp ?? (await takeOpenSignUp(deps, tx, user)) });
      return admitNewcomer(deps, tx, { ...newcomer, client, providerSession });
    }
    const accessToken = await signIn(deps, tx, { ...member, client, providerSession, byPassword });
    return { userId: member.userId, accessToken };
  }).catch((error: unknown) => endRefused(deps, session, error));
}

/**
 * Returns the member of a Supabase user, and creates one if there is none. Starts no session. Throws as `admit` does.
 */
export async function findOrEnrol(deps: SupabaseDeps, tx: Tx, { user, client }: { user: User; client: Client }) {
  const member = await findMember(tx, user);
  if (member) return member;
  const newcomer = await toNewcomer(deps, tx, { user, signUp: await takeOpenSignUp(deps, tx, user) });
  return { userId: await enrol(deps, tx, { ...newcomer, client }), email: newcomer.email };
}

type Newcomer = { user: User; signUp: SignUp | undefined };

/** Returns what a new member is registered with. Throws FORBIDDEN if the address is another member's. */
async function toNewcomer(deps: SupabaseDeps, tx: Tx, { user, signUp }: Newcomer) {
  const { email = "" } = user;
  await refuseLinked(deps, tx, email);
  return { email, passwordHash: null, providerSubject: user.id, referralCode: signUp?.referralCode ?? null };
}

/** Finds the open sign-up of a user who has come without naming one, and uses it up. */
async function takeOpenSignUp(deps: SupabaseDeps, tx: Tx, { email = "" }: User): Promise<SignUp | undefined> {
  const now = deps.now();
  const signUp = await findOpenSignUp(tx, { email, now });
  if (signUp) await useSignUp(tx, { id: signUp.id, now });
  return signUp;
}

/**
 * Throws FORBIDDEN if the address belongs to a member. Two Supabase users can have had a member's address, one after
 * the other: the first was removed there, or has moved to an address that we do not know yet. Only an operator can tell
 * which, and so whether the second user is the member.
 */
async function refuseLinked({ log }: SupabaseDeps, tx: Tx, email: string): Promise<void> {
  const account = await findAccount(tx, emailKey(email));
  if (!account) return;
  log.error(
    { userId: account.id },
    "a member's address is another user's at Supabase: see “Supabase” in docs/operations.md",
  );
  const message =
    "Your account belongs to an earlier sign-in with this address. Contact us and we will connect the two.";
  throw new AppError("FORBIDDEN", message);
}
