import type { Act } from "../administration/actor.ts";
import { findMembersByName } from "../administration/members.ts";
import { administer } from "../administration/service.ts";
import type { Deps } from "../deps.ts";
import { enqueue } from "../jobs/queries.ts";
import { lockJob, reviveJob } from "../jobs/queue.queries.ts";
import * as queries from "./deletion.queries.ts";
import { ERASE_ACCOUNT } from "./erase.ts";

type AgainDeps = Pick<Deps, "db" | "now">;

/** Of the members who were deleted after a backup, returns those whose accounts exist again since it was restored. */
export async function findRestoredMembers({ db, now }: AgainDeps, deleted: readonly string[]) {
  const found = await queries.findMembersOf(db, deleted);
  return found.map(({ id, email, dueAt }) => ({ id, email, isDue: dueAt !== null && dueAt <= now() }));
}

/**
 * Queues the deletion of these accounts once more, without a grace period. Any process that deletes accounts carries it
 * out. A deletion that is already due counts as unchanged: it is only tried at once, unless somebody is at it.
 */
export async function deleteAgain(deps: AgainDeps, act: Act, deleted: readonly string[]) {
  const done: { id: string; email: string; changed: boolean }[] = [];
  for (const { id, email } of await queries.findMembersOf(deps.db, deleted)) {
    const changed = await administer(deps, act, async (tx, note, at) => {
      // Lock the member first, as closing the account does.
      const member = (await findMembersByName(tx, [id], "no key update"))(id);
      if (!member) return false;
      const isNew = await queries.makeDeletionDue(tx, { userId: id, now: at });
      const job = { kind: ERASE_ACCOUNT, key: id };
      // A job that waits for the end of the grace period, or for another attempt, becomes due now.
      if (isNew || !(await lockJob(tx, job))?.lease) {
        await enqueue(tx, { ...job, dueAt: at });
        await reviveJob(tx, job, at);
      }
      if (!isNew) return false;
      await note({ action: "member.deleted-again", subject: "member", subjectId: id });
      return true;
    });
    done.push({ id, email, changed });
  }
  return done;
}
