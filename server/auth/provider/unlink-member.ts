import type { Act } from "../../administration/actor.ts";
import { findMember } from "../../administration/members.ts";
import { administer } from "../../administration/service.ts";
import type { Deps } from "../../deps.ts";
import { endSessions, forgetDevices } from "../../sessions/service.ts";
import { endOpenRequests } from "../open-requests.ts";
import { forgetSubject } from "./supabase.queries.ts";

/**
 * Forgets a member's Supabase user. The next user who proves that the member's address is theirs becomes the member.
 * The user until now may be somebody else, so the member's sessions end, as after a change of address. Throws NOT_FOUND
 * if there is no such member.
 */
export async function unlinkMember(deps: Pick<Deps, "db" | "now">, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note, now) => {
    const { id, email } = await findMember(tx, name, "no key update");
    if (!(await forgetSubject(tx, id))) return { id, email, changed: false };
    const ended = await endSessions({ db: tx, now: () => now }, { userId: id });
    await forgetDevices(tx, { userId: id });
    await endOpenRequests(tx, { userId: id, now });
    await note({ action: "member.unlinked", subject: "member", subjectId: id, details: { ended } });
    return { id, email, changed: true };
  });
}
