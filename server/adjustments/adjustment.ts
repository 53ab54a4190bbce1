import type { Act } from "../administration/actor.ts";
import { findMember } from "../administration/members.ts";
import { administer } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { roundPoints } from "../points/amount.ts";
import { ADJUSTMENT_RULE, describePoints } from "../points/rules.ts";
import { findPosted } from "../points/queries.ts";
import { postPoints, readSums } from "../points/service.ts";
import type { Adjustment } from "./contract.ts";

/** An adjustment of a member's points, whoever makes it. */
export type Adjusting = Omit<Adjustment, "member"> & { userId: string; reason: string };

/**
 * Gives points to a member, or takes some away, by a ledger row that says why. A repeated call with the same key
 * changes nothing. Throws NOT_FOUND if there is no such member, and CONFLICT if fewer than zero points would be left in
 * the category, or if another adjustment has the key.
 */
export async function adjustPoints(deps: Pick<Deps, "db" | "now">, act: Act, adjustment: Adjustment) {
  const { category, key, member: name, points } = adjustment;
  return administer(deps, act, async (tx, note, at) => {
    const { id: userId, email } = await findMember(tx, name, "share");
    const changed = await postAdjustment(tx, { userId, points, category, key, reason: act.reason }, at);
    if (changed) await note(describeAdjustment({ userId, points, category, key }));
    else requireSame(await findAdjustment(tx, { userId, key }), adjustment);
    return { id: userId, email, changed, points };
  });
}

type Amount = Pick<Adjustment, "category" | "points">;

/** Throws CONFLICT if the adjustment known by a key differs from the one asked for. */
export function requireSame(known: Amount | undefined, { category, points }: Amount): void {
  if (!known || (known.points === points && known.category === category)) return;
  const before = `${describePoints(known.points)} in ${known.category}`;
  throw new AppError(
    "CONFLICT",
    `Nothing changed: this was sent before as ${before}. To make another adjustment as well, send the form again, or choose another key at the terminal.`,
  );
}

export const describeAdjustment = ({ userId, points, category, key }: Omit<Adjusting, "reason">) => ({
  action: "points.adjusted" as const,
  subject: "member" as const,
  subjectId: userId,
  details: { points, category, key },
});

/** Returns the member's adjustment with this key, or undefined if there is none. */
export const findAdjustment = (tx: Tx, { userId, key }: Pick<Adjusting, "userId" | "key">) =>
  findPosted(tx, { userId, source: ADJUSTMENT_RULE.source, sourceId: key });

/**
 * Posts the row. Returns false if this key was posted before. Throws CONFLICT if fewer than zero points would be left.
 */
export async function postAdjustment(tx: Tx, adjustment: Adjusting, at: Date): Promise<boolean> {
  const { category, key, points, reason, userId } = adjustment;
  const rule = { ...ADJUSTMENT_RULE, category };
  const entry = { userId, rule, sourceId: key, points, comment: reason, occurredAt: at };
  const changed = (await postPoints(tx, [entry])).length === 1;
  // Posting has locked the member's sums until the transaction ends.
  if (changed) await requireLeft(tx, { userId, category, points, posted: true, at });
  return changed;
}

type Left = Pick<Adjusting, "userId" | "category" | "points"> & { posted: boolean; at: Date };

/** Throws CONFLICT if taking points would leave fewer than zero in their category. */
export async function requireLeft(tx: Tx, { userId, category, points, posted, at }: Left): Promise<void> {
  if (points >= 0) return;
  const left = await readSums(tx, { userId, now: at });
  const had = roundPoints(left[category] - (posted ? points : 0));
  if (roundPoints(had + points) >= 0) return;
  throw new AppError("CONFLICT", `The member has ${describePoints(had)} in ${category}. You cannot take more.`);
}
