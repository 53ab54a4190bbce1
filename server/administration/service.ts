import { uuidv7 } from "uuidv7";
import type { Db, Tx } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { administratorIdOf, type Act, type Actor } from "./actor.ts";
import { FRESH_PASSWORD_SECONDS } from "./contract.ts";
import { findMember } from "./members.ts";
import * as queries from "./queries.ts";

type AdministrationDeps = Pick<Deps, "db" | "now">;

/** What was done, and to whom or what. Names members only by id. */
type Change = {
  action: `${string}.${string}`;
  subject: "member" | "campaign" | "referral" | "job" | "document" | "incident" | "webhook";
  subjectId: string;
  details?: Record<string, unknown>;
};

/** Writes the transaction's changes to the audit log, in the order of the calls. */
export type Note = (...changes: Change[]) => Promise<void>;

/** Throws FORBIDDEN unless the member is an administrator in the database right now. */
export async function requireRole(db: Db | Tx, actor: Actor, { held = false } = {}): Promise<void> {
  if (actor.kind !== "administrator" || (await queries.isAdministrator(db, actor.userId, held))) return;
  throw new AppError("FORBIDDEN", "Only administrators can do this.");
}

/** Returns whether a member is an administrator, and locks the role until the transaction ends. */
export const isAdministrator = (tx: Tx, userId: string): Promise<boolean> => queries.isAdministrator(tx, userId, true);

/** Returns until when an administrator need not enter their password again; undefined if they have to now. */
export async function readFreshUntil(
  { db, now }: { db: Db | Tx; now: () => Date },
  { userId, sessionId }: Extract<Actor, { kind: "administrator" }>,
  { held = false } = {},
): Promise<Date | undefined> {
  const givenAt = sessionId && (await queries.findPasswordTime(db, { userId, sessionId }, held));
  // A password given while a clock was ahead would count for that much longer.
  if (!givenAt || givenAt.getTime() > now().getTime() + MAX_CLOCK_SKEW_MS) return undefined;
  const until = new Date(givenAt.getTime() + FRESH_PASSWORD_SECONDS * 1000);
  return until > now() ? until : undefined;
}

/**
 * Throws FORBIDDEN for a member who is not an administrator, and PASSWORD_REQUIRED for one who has not given their
 * password recently in this session. Throws UNAUTHENTICATED if the session has ended meanwhile, as when the
 * administrator was blocked.
 */
export async function permit(
  deps: { db: Db | Tx; now: () => Date },
  actor: Actor,
  { held = false } = {},
): Promise<void> {
  await requireRole(deps.db, actor, { held });
  if (actor.kind !== "administrator" || (await readFreshUntil(deps, actor, { held }))) return;
  const { sessionId, userId } = actor;
  const hasEnded = sessionId && (await queries.findPasswordTime(deps.db, { userId, sessionId }, false)) === undefined;
  if (hasEnded) throw new AppError("UNAUTHENTICATED", "Your session has ended. Please sign in again.");
  throw new AppError("PASSWORD_REQUIRED", "Enter your password again to continue.");
}

/**
 * Makes a change in an actor's name, in one transaction with its audit log entries, if they are allowed to. Removing an
 * administrator's role waits for changes that are under way, and none can begin after that. Throws what `permit` and
 * the work throw.
 */
export async function administer<Result>(
  { db, now }: AdministrationDeps,
  { actor, reason }: Act,
  work: (tx: Tx, note: Note, at: Date) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await permit({ db: tx, now }, actor, { held: true });
    const at = now();
    const actorId = administratorIdOf(actor);
    const note: Note = (...changes) =>
      queries.insertEntries(
        tx,
        changes.map(({ action, subject, subjectId, details }) => {
          return { id: uuidv7(), at, actor: actor.kind, actorId, action, subject, subjectId, reason, details };
        }),
      );
    return work(tx, note, at);
  });
}

/** Makes a member an administrator. Changes nothing if they are one. Throws NOT_FOUND if there is no such member. */
export async function addAdministrator(deps: AdministrationDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note, at) => {
    const { id, email } = await findMember(tx, name, "share");
    const addedBy = administratorIdOf(act.actor);
    const changed = await queries.insertAdministrator(tx, { userId: id, since: at, addedBy });
    if (changed) await note({ action: "administrator.added", subject: "member", subjectId: id });
    return { id, email, changed };
  });
}

/**
 * Removes an administrator's role at once. Throws NOT_FOUND if there is no such member. Throws CONFLICT if
 * administrators would remove themselves while no other one can sign in: only an operator can do that.
 */
export async function removeAdministrator(deps: AdministrationDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note) => {
    const { id, email } = await findMember(tx, name, "share");
    if (administratorIdOf(act.actor) === id) {
      const lasting = await queries.lockLastingAdministrators(tx);
      if (lasting.every((each) => each === id))
        throw new AppError("CONFLICT", "No other administrator can sign in. Add another one first.");
    }
    const changed = await queries.deleteAdministrator(tx, id);
    if (changed) await note({ action: "administrator.removed", subject: "member", subjectId: id });
    return { id, email, changed };
  });
}

/** Removes the role, if there is one, of a member whose account is being deleted. */
export async function removeRoleOfDeleted(tx: Tx, { userId, at }: { userId: string; at: Date }): Promise<void> {
  if (!(await queries.deleteAdministrator(tx, userId))) return;
  const did = { actor: "administrator", actorId: userId, action: "administrator.removed" } as const;
  const what = { subject: "member", subjectId: userId, reason: "Their account was deleted." } as const;
  await queries.insertEntries(tx, [{ id: uuidv7(), at, ...did, ...what }]);
}

/** Returns the administrators, earliest first. */
export async function readAdministrators({ db, now }: AdministrationDeps, actor: Actor) {
  await permit({ db, now }, actor);
  const found = await queries.findAdministrators(db);
  return found.map(({ id, email, since, addedBy, addedByEmail, blockedAt }) => {
    const blocked = blockedAt?.toISOString() ?? null;
    return { id, email, since: since.toISOString(), addedBy, addedByEmail, blockedAt: blocked };
  });
}
