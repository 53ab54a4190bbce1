import { uuidv7 } from "uuidv7";
import type { Db, Tx } from "../db/client.ts";
import { CLOCKS_APART } from "../db/clock.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { administratorIdOf, type Act, type Actor } from "./actor.ts";
import { FRESH_PASSWORD_SECONDS } from "./contract.ts";
import { findMember } from "./members.ts";
import * as queries from "./queries.ts";

type AdministrationDeps = Pick<Deps, "db" | "now">;

/** What was done, about whom or what. Names members by id alone. */
type Change = {
  action: `${string}.${string}`;
  subject: "member" | "campaign" | "referral" | "job" | "document" | "incident" | "webhook";
  subjectId: string;
  details?: Record<string, unknown>;
};

/** Writes down what the transaction changes, in the order in which it is told. */
export type Note = (...changes: Change[]) => Promise<void>;

/** Throws FORBIDDEN for a member who is no administrator, as the database has it now. */
export async function requireRole(db: Db | Tx, actor: Actor, { held = false } = {}): Promise<void> {
  if (actor.kind !== "administrator" || (await queries.isAdministrator(db, actor.userId, held))) return;
  throw new AppError("FORBIDDEN", "Only administrators can do this.");
}

/** Whether a member is an administrator, who stays one until the transaction ends. */
export const isAdministrator = (tx: Tx, userId: string): Promise<boolean> => queries.isAdministrator(tx, userId, true);

/** Until when an administrator need not give their password again; undefined where they have to now. */
export async function readFreshUntil(
  { db, now }: { db: Db | Tx; now: () => Date },
  { userId, sessionId }: Extract<Actor, { kind: "administrator" }>,
  { held = false } = {},
): Promise<Date | undefined> {
  const givenAt = sessionId && (await queries.findPasswordTime(db, { userId, sessionId }, held));
  // Given while a clock was ahead, it would count for as long as that.
  if (!givenAt || givenAt.getTime() > now().getTime() + CLOCKS_APART) return undefined;
  const until = new Date(givenAt.getTime() + FRESH_PASSWORD_SECONDS * 1000);
  return until > now() ? until : undefined;
}

/**
 * Throws FORBIDDEN for a member who is no administrator, PASSWORD_REQUIRED for one who has not given their password for
 * a while in the session that asks, and UNAUTHENTICATED where that has ended meanwhile: as by who blocks them.
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
 * Changes something in somebody's name: in one transaction, with its entries in the audit log, as long as they may.
 * Whoever takes an administrator's role away waits for what is under way, and nothing begins after that. It throws
 * FORBIDDEN and PASSWORD_REQUIRED as `permit` does, beside what the work throws.
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

/** Makes a member an administrator; who is one stays it. Throws NOT_FOUND for who is no member. */
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
 * Takes the role away, at once. Throws NOT_FOUND for who is no member, and CONFLICT for an administrator who would take
 * it from themselves while no other one can sign in: only an operator can do that.
 */
export async function removeAdministrator(deps: AdministrationDeps, act: Act, { member: name }: { member: string }) {
  return administer(deps, act, async (tx, note) => {
    const { id, email } = await findMember(tx, name, "share");
    if (administratorIdOf(act.actor) === id && (await queries.holdAdministrators(tx)) === 1) {
      throw new AppError("CONFLICT", "No other administrator can sign in. Add another one first.");
    }
    const changed = await queries.deleteAdministrator(tx, id);
    if (changed) await note({ action: "administrator.removed", subject: "member", subjectId: id });
    return { id, email, changed };
  });
}

/** Who is an administrator, the first one first. */
export async function readAdministrators({ db, now }: AdministrationDeps, actor: Actor) {
  await permit({ db, now }, actor);
  const found = await queries.findAdministrators(db);
  return found.map(({ id, email, since, addedBy, addedByEmail, blockedAt }) => {
    const blocked = blockedAt?.toISOString() ?? null;
    return { id, email, since: since.toISOString(), addedBy, addedByEmail, blockedAt: blocked };
  });
}
