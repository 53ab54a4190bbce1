import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Session, User } from "@supabase/auth-js";
import type { Act } from "../../administration/actor.ts";
import { findMember as findMemberByName } from "../../administration/members.ts";
import { administer } from "../../administration/service.ts";
import type { Tx } from "../../db/client.ts";
import { users } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Client } from "../../http/client.ts";
import { emailKey } from "../../mail/email-key.ts";
import { findAccount } from "../queries.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { findOpenSignUp, useSignUp, type SignUp } from "../sign-up/sign-up.queries.ts";
import { admitNewcomer, enrol } from "../sign-up/sign-up.ts";
import { settleAddress } from "./supabase-address.ts";
import type { SupabaseDeps } from "./supabase-client.ts";
import { behind } from "./supabase-sessions.ts";

type Arrival = {
  session: Session;
  client: Client;
  signUp?: SignUp | undefined;
  byPassword?: boolean | undefined;
};

/**
 * Begins a session of ours on one of Supabase's; whoever comes for the first time becomes a member. Throws FORBIDDEN for
 * a member who is blocked, and where the address is that of a member who is somebody else at Supabase.
 */
export async function admit(deps: SupabaseDeps, { session, client, signUp, byPassword }: Arrival) {
  const { user } = session;
  await settleAddress(deps, user);
  const providerSession = behind(deps, session);
  return inTransaction(deps.db, async (tx) => {
    if (signUp) await useSignUp(tx, { id: signUp.id, now: deps.now() });
    const member = await findMember(tx, user);
    if (!member) {
      const newcomer = await meet(deps, tx, { user, signUp });
      return admitNewcomer(deps, tx, { ...newcomer, client, providerSession });
    }
    const accessToken = await signIn(deps, tx, { ...member, client, providerSession, byPassword });
    return { userId: member.userId, accessToken };
  });
}

/** The member of a Supabase user: by its id, or by the address, which Supabase has seen to be theirs. */
async function findMember(tx: Tx, user: User) {
  const member = { userId: users.id, email: users.email };
  const [known] = await tx.select(member).from(users).where(eq(users.providerSubject, user.id));
  if (known) return known;
  const [linked] = await tx
    .update(users)
    .set({ providerSubject: user.id })
    .where(and(eq(users.emailKey, emailKey(user.email ?? "")), isNull(users.providerSubject)))
    .returning(member);
  return linked;
}

/** The member of a Supabase user, who becomes one if they are none. Starts no session. Throws as `admit` does. */
export async function findOrEnrol(deps: SupabaseDeps, tx: Tx, { user, client }: { user: User; client: Client }) {
  const member = await findMember(tx, user);
  if (member) return member;
  const newcomer = await meet(deps, tx, { user });
  return { userId: await enrol(deps, tx, { ...newcomer, client }), email: newcomer.email };
}

/** What a member is made of, with the sign-up that waits for them where none is named. */
async function meet(deps: SupabaseDeps, tx: Tx, { user, signUp: named }: { user: User; signUp?: SignUp | undefined }) {
  const { email = "" } = user;
  await refuseLinked(deps, tx, email);
  const now = deps.now();
  const signUp = named ?? (await findOpenSignUp(tx, { email, now }));
  if (signUp) await useSignUp(tx, { id: signUp.id, now });
  return { email, passwordHash: null, providerSubject: user.id, referralCode: signUp?.referralCode ?? null };
}

/**
 * An address of ours may be that of two users at Supabase, one after the other: where the first was removed there and the
 * second made anew, and where the first has another address now, which we have not heard of. Only an operator can tell.
 */
async function refuseLinked({ log }: SupabaseDeps, tx: Tx, email: string): Promise<void> {
  const account = await findAccount(tx, emailKey(email));
  if (!account) return;
  log.error({ userId: account.id }, "a member is another user at Supabase now: see “Supabase” in docs/operations.md");
  const message =
    "This address has an account that another sign-in opens. Contact us to have it connected to this one.";
  throw new AppError("FORBIDDEN", message);
}

/**
 * Forgets which Supabase user a member is: the next one who has shown that the member's address is theirs is the member.
 * Throws NOT_FOUND for who is no member.
 */
export async function unlinkMember(deps: Pick<Deps, "db" | "now">, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note) => {
    const { id, email } = await findMemberByName(tx, name, "no key update");
    const isLinked = and(eq(users.id, id), isNotNull(users.providerSubject));
    const { rowCount } = await tx.update(users).set({ providerSubject: null }).where(isLinked);
    const changed = rowCount === 1;
    if (changed) await note({ action: "member.unlinked", subject: "member", subjectId: id });
    return { id, email, changed };
  });
}
