import { administratorIdOf, type Act } from "../administration/actor.ts";
import { findMember } from "../administration/members.ts";
import { administer } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import * as queries from "./queries.ts";
import { runningAt } from "./service.ts";

/* Members whom an operator keeps out: they cannot sign in, and no key of theirs beats, until they are let in again. */

type BlockingDeps = Pick<Deps, "db" | "now">;

/**
 * Blocks a member and ends their sessions; who is blocked stays it. Throws NOT_FOUND for who is no member, and CONFLICT
 * for an administrator who names themselves.
 */
export async function blockMember(deps: BlockingDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note, now) => {
    // Whoever is signing in has the row: their session is there, and ended, or they see that they are blocked.
    const { id, email } = await findMember(tx, name, "no key update");
    if (administratorIdOf(act.actor) === id) throw new AppError("CONFLICT", "You cannot block yourself.");
    const changed = await queries.markBlocked(tx, { userId: id, now });
    if (!changed) return { id, email, changed, ended: 0 };
    const ended = await queries.revokeSessions(tx, { userId: id, ...runningAt(now) });
    await note({ action: "member.blocked", subject: "member", subjectId: id, details: { ended } });
    return { id, email, changed, ended };
  });
}

/** Lets a member in again: with the password and the keys that they had. Throws NOT_FOUND for who is no member. */
export async function unblockMember(deps: BlockingDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note) => {
    const { id, email } = await findMember(tx, name, "no key update");
    const changed = await queries.clearBlocked(tx, id);
    if (changed) await note({ action: "member.unblocked", subject: "member", subjectId: id });
    return { id, email, changed };
  });
}

/**
 * Throws FORBIDDEN for a member who is blocked; nobody else is it until the transaction ends. Only for who has shown
 * that they are the member: to anybody else a blocked account is like any other.
 */
export async function refuseBlocked(tx: Tx, userId: string): Promise<void> {
  if (!(await queries.holdBlocked(tx, userId))) return;
  throw new AppError("FORBIDDEN", "This account is blocked. Contact us if you think that this is a mistake.");
}
