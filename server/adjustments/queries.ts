import { and, asc, desc, eq, gt, inArray, isNull, lt, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Cursor } from "../administration/paging.ts";
import type { Db, Tx } from "../db/client.ts";
import { emailOf } from "../db/email-of.ts";
import { adjustmentAllowances, adjustmentRequests, administrators, users } from "../db/schema.ts";

export type RequestRow = typeof adjustmentRequests.$inferSelect;

type Taking = { administratorId: string; day: string; points: number };

/**
 * Adds points to what an administrator has used of their daily allowance, and returns the sum. Locks the allowance
 * until the transaction ends. If another process has already begun the next day, the points count towards that one:
 * going back would start both days again.
 */
export async function useAllowance(tx: Tx, { administratorId, day, points }: Taking): Promise<number> {
  const goesOn = sql`${adjustmentAllowances.day} between excluded.day and excluded.day + 1`;
  const [used] = await tx
    .insert(adjustmentAllowances)
    .values({ administratorId, day, points })
    .onConflictDoUpdate({
      target: adjustmentAllowances.administratorId,
      set: {
        day: sql`case when ${goesOn} then ${adjustmentAllowances.day} else excluded.day end`,
        points: sql`case when ${goesOn} then ${adjustmentAllowances.points} else 0 end + excluded.points`,
      },
    })
    .returning({ points: adjustmentAllowances.points });
  return used?.points ?? 0;
}

export async function findUsed(db: Db, { administratorId, day }: Omit<Taking, "points">): Promise<number> {
  const [used] = await db
    .select({ points: adjustmentAllowances.points })
    .from(adjustmentAllowances)
    .where(and(eq(adjustmentAllowances.administratorId, administratorId), eq(adjustmentAllowances.day, day)));
  return used?.points ?? 0;
}

/** Returns false if the member already has a request with this key. */
export async function insertRequest(tx: Tx, request: typeof adjustmentRequests.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(adjustmentRequests).values(request).onConflictDoNothing();
  return rowCount === 1;
}

/**
 * Returns a request, locked so that nobody else decides on it until the transaction ends. Locks its member first, in
 * the same order as the deletion of their account, which also deletes the request.
 */
export async function lockRequest(tx: Tx, id: string): Promise<RequestRow | undefined> {
  const { userId } = adjustmentRequests;
  const member = tx.select({ userId }).from(adjustmentRequests).where(eq(adjustmentRequests.id, id));
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, member)).for("share");
  const [request] = await tx.select().from(adjustmentRequests).where(eq(adjustmentRequests.id, id)).for("update");
  return request;
}

type Decision = Pick<RequestRow, "id" | "decision" | "decidedBy" | "decidedAt">;

export async function storeDecision(tx: Tx, { id, ...decision }: Decision): Promise<void> {
  await tx.update(adjustmentRequests).set(decision).where(eq(adjustmentRequests.id, id));
}

/** Selects requests with the email addresses of everyone named in them, as long as they have accounts. */
function selectRequests(db: Db | Tx) {
  const [requester, decider] = [alias(users, "requester"), alias(users, "decider")];
  return db
    .select({
      request: adjustmentRequests,
      email: emailOf(users),
      requesterEmail: emailOf(requester),
      deciderEmail: emailOf(decider),
      requesterSince: administrators.since,
    })
    .from(adjustmentRequests)
    .innerJoin(users, eq(users.id, adjustmentRequests.userId))
    .leftJoin(requester, eq(requester.id, adjustmentRequests.requestedBy))
    .leftJoin(decider, eq(decider.id, adjustmentRequests.decidedBy))
    .leftJoin(administrators, eq(administrators.userId, adjustmentRequests.requestedBy));
}

export type FoundRequest = Awaited<ReturnType<typeof findRequests>>[number];

export async function findRequest(db: Db | Tx, id: string): Promise<FoundRequest | undefined> {
  const [found] = await selectRequests(db).where(eq(adjustmentRequests.id, id));
  return found;
}

type ByKey = Pick<RequestRow, "userId" | "key">;

export async function findRequestByKey(tx: Tx, { userId, key }: ByKey): Promise<FoundRequest | undefined> {
  const [found] = await selectRequests(tx).where(
    and(eq(adjustmentRequests.userId, userId), eq(adjustmentRequests.key, key)),
  );
  return found;
}

type Page = { after: Cursor | undefined; limit: number };

/** Returns a page of the requests that can be decided, first to expire first. */
export const findOpen = (db: Db, { after, limit, now }: Page & { now: Date }) =>
  findRequests(db, {
    where: and(
      isNull(adjustmentRequests.decision),
      gt(adjustmentRequests.expiresAt, now),
      after &&
        sql`(${adjustmentRequests.expiresAt}, ${adjustmentRequests.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
    ),
    orderBy: [asc(adjustmentRequests.expiresAt), asc(adjustmentRequests.id)],
    limit,
  });

/** Returns a page of all requests, newest first. */
export const findAll = (db: Db, { after, limit }: Page) =>
  findRequests(db, {
    where: after && lt(adjustmentRequests.id, after.id),
    orderBy: [desc(adjustmentRequests.id)],
    limit,
  });

type Wanted = { where: SQL | undefined; orderBy: SQL[]; limit: number };

const findRequests = (db: Db, { where, orderBy, limit }: Wanted) =>
  selectRequests(db)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
