import { and, eq, isNotNull } from "drizzle-orm";
import type { Act } from "../../administration/actor.ts";
import { findMember } from "../../administration/members.ts";
import { administer } from "../../administration/service.ts";
import { users } from "../../db/schema.ts";
import type { Deps } from "../../deps.ts";

/**
 * Forgets which Supabase user a member is: the next one who has shown that the member's address is theirs is the member.
 * Throws NOT_FOUND for who is no member.
 */
export async function unlinkMember(deps: Pick<Deps, "db" | "now">, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note) => {
    const { id, email } = await findMember(tx, name, "no key update");
    const isLinked = and(eq(users.id, id), isNotNull(users.providerSubject));
    const { rowCount } = await tx.update(users).set({ providerSubject: null }).where(isLinked);
    const changed = rowCount === 1;
    if (changed) await note({ action: "member.unlinked", subject: "member", subjectId: id });
    return { id, email, changed };
  });
}
