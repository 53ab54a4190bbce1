import { administratorIdOf, type Act } from "../administration/actor.ts";
import { findMember } from "../administration/members.ts";
import { administer } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import * as queries from "./queries.ts";
import { runningAt } from "./service.ts";

/*
 * Members whom an operator blocks: until they are unblocked, they cannot sign in, and none of their keys can send
 * heartbeats.
 */

type BlockingDeps = Pick<Deps, "db" | "now">;

/**
 * Blocks a member and ends their sessions. A member who is already blocked stays blocked. Throws NOT_FOUND if there is
 * no such member, and CONFLICT if an administrator names themselves.
 */
export async function blockMember(deps: BlockingDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note, now) => {
    // A sign-in in progress holds the row. Either its session exists by now and is ended here, or it will find that the
    // member is blocked.
    const { id, email } = await findMember(tx, name, "no key update");
    if (administratorIdOf(act.actor) === id) throw new AppError("CONFLICT", "You cannot block yourself.");
    const changed = await queries.markBlocked(tx, { userId: id, now });
    if (!changed) return { id, email, changed, ended: 0 };
    const ended = await queries.revokeSessions(tx, { userId: id, ...runningAt(now) });
    await note({ action: "member.blocked", subject: "member", subjectId: id, details: { ended } });
    return { id, email, changed, ended };
  });
}

/** Unblocks a member, with their former password and keys. Throws NOT_FOUND if there is no such member. */
export async function unblockMember(deps: BlockingDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note) => {
    const { id, email } = await findMember(tx, name, "no key update");
    const changed = await queries.clearBlocked(tx, id);
    if (changed) await note({ action: "member.unblocked", subject: "member", subjectId: id });
    return { id, email, changed };
  });
}

/**
 * Throws FORBIDDEN if a member is blocked. Nobody can block an unblocked member until the transaction ends. Call this
 * only for somebody who has shown that they are the member: to anybody else, a blocked account looks like any other.
 */
export async function refuseBlocked(tx: Tx, userId: string): Promise<void> {
  if (!(await queries.lockBlockedState(tx, userId))) return;
  throw new AppError("FORBIDDEN", "This account is blocked. Contact us if you think that this is a mistake.");
}
