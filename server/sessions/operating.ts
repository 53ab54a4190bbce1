import type { Act } from "../administration/actor.ts";
import { findMember } from "../administration/members.ts";
import { administer } from "../administration/service.ts";
import { limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import * as queries from "./queries.ts";
import { describeSession, runningAt } from "./service.ts";

/* How an operator lists and ends members' sessions. */

type OperatingDeps = Pick<Deps, "db" | "now">;

/** How many entries one statement inserts. PostgreSQL takes 65,535 values, and each entry has nine. */
const AT_ONCE = 1000;

/** Lists where a member is signed in, most recently used first. Throws NOT_FOUND if there is no such member. */
export async function readSessionsOf({ db, now }: OperatingDeps, { member: name }: { member: string }) {
  const { id: userId } = await findMember(db, name);
  const found = await queries.findSessions(db, { userId, ...runningAt(now()) });
  return found.map((session) => describeSession(session, false));
}

type Named = { member: string; id: string };

/** Signs a member out on one device. Throws NOT_FOUND if there is no such member or session. */
export async function endSessionOf(deps: OperatingDeps, act: Act, { member: name, id: sessionId }: Named) {
  return administer(deps, act, async (tx, note, now) => {
    const { id: userId, email } = await findMember(tx, name, "share");
    if (!(await queries.revokeSession(tx, { userId, sessionId, now }))) {
      throw new AppError("NOT_FOUND", "The member has no such session, or it has ended.");
    }
    await note({ ...ENDED, subjectId: userId, details: { ended: 1 } });
    return { email, id: sessionId };
  });
}

/** The audit log entry for sessions that an operator ends. There is one for each member. */
const ENDED = { action: "sessions.ended", subject: "member" } as const;

/** Signs a member out everywhere. Throws NOT_FOUND if there is no such member. */
export async function endSessionsOf(deps: OperatingDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note, at) => {
    const { id, email } = await findMember(tx, name, "share");
    const ended = await queries.revokeSessions(tx, { userId: id, ...runningAt(at) });
    if (ended > 0) await note({ ...ENDED, subjectId: id, details: { ended } });
    return { email, ended };
  });
}

/** Signs everybody out everywhere. */
export async function endEverySession(deps: OperatingDeps, act: Act) {
  return administer(deps, act, async (tx, note, at) => {
    // No limit, however many sessions there are: a timeout would leave all of them running.
    await limitStatements(tx, 0);
    const ended = await queries.revokeEverySession(tx, runningAt(at));
    const entries = Array.from(ended, ([subjectId, count]) => ({ ...ENDED, subjectId, details: { ended: count } }));
    for (let from = 0; from < entries.length; from += AT_ONCE) await note(...entries.slice(from, from + AT_ONCE));
    return { members: ended.size };
  });
}
