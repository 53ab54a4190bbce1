import { and, eq, isNull } from "drizzle-orm";
import type { Session, User } from "@supabase/auth-js";
import type { Tx } from "../../db/client.ts";
import { users } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Client } from "../../http/client.ts";
import { emailKey } from "../../mail/email-key.ts";
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

/** Begins a session of ours on one of Supabase's; whoever comes for the first time becomes a member. */
export async function admit(deps: SupabaseDeps, { session, client, signUp, byPassword }: Arrival) {
  const { user } = session;
  await settleAddress(deps, user);
  const providerSession = behind(deps, session);
  return inTransaction(deps.db, async (tx) => {
    if (signUp) await useSignUp(tx, { id: signUp.id, now: deps.now() });
    const member = await findMember(tx, user);
    if (!member) return admitNewcomer(deps, tx, { ...newcomer(user, signUp), client, providerSession });
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

const newcomer = (user: User, signUp: SignUp | undefined) => ({
  email: user.email ?? "",
  passwordHash: null,
  providerSubject: user.id,
  referralCode: signUp?.referralCode ?? null,
});

/** The member of a Supabase user, who becomes one if they are none. Starts no session. */
export async function findOrEnrol(deps: SupabaseDeps, tx: Tx, { user, client }: { user: User; client: Client }) {
  const member = await findMember(tx, user);
  if (member) return member;
  const signUp = await findOpenSignUp(tx, { email: user.email ?? "", now: deps.now() });
  if (signUp) await useSignUp(tx, { id: signUp.id, now: deps.now() });
  const { email, ...rest } = newcomer(user, signUp);
  return { userId: await enrol(deps, tx, { email, ...rest, client }), email };
}
