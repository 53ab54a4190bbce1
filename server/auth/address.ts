import { eq } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { users } from "../db/schema.ts";
import type { Deps } from "../deps.ts";
import { emailKey } from "../mail/email-key.ts";
import { mailboxKey } from "../mail/mailbox-key.ts";

/** Whether the addresses that members sign in with are kept here, and can be changed. */
export const keepsAddresses = ({ env, supabase }: Pick<Deps, "env" | "supabase">): boolean =>
  !env.authApiUrl && !supabase;

/** Changes the address that a member signs in with. Rejects with a unique violation where it is another member's. */
export async function setAddress(tx: Tx, { userId, email, now }: { userId: string; email: string; now: Date }) {
  const key = emailKey(email);
  const address = { email, emailKey: key, mailboxKey: mailboxKey(key) };
  await tx
    .update(users)
    .set({ ...address, updatedAt: now })
    .where(eq(users.id, userId));
}
