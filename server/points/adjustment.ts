import * as z from "zod";
import type { Act } from "../administration/actor.ts";
import { MemberName } from "../administration/contract.ts";
import { findMember } from "../administration/members.ts";
import { administer } from "../administration/service.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { roundPoints } from "./amount.ts";
import { PointsCategory } from "./contract.ts";
import { findStats } from "./queries.ts";
import { ADJUSTMENT_RULE, formatPoints } from "./rules.ts";
import { postPoints } from "./service.ts";
import { utcDay } from "./utc-day.ts";

const MOST = 1_000_000;

export const Adjustment = z.object({
  member: MemberName,
  points: z
    .number("Say how many points.")
    .min(-MOST)
    .max(MOST)
    .refine((points) => points !== 0 && roundPoints(points) === points, "Points have two decimals at most, and not 0."),
  /** Of whoever adjusts: what is asked for again by the same name is done once. */
  key: z.string("Name the adjustment, with --key <name>.").trim().min(1).max(100),
  category: PointsCategory.default("Others"),
});
export type Adjustment = z.output<typeof Adjustment>;

/**
 * Gives a member points, or takes some, by a row of the ledger that says why. Asked for again by the same key it changes
 * nothing. Throws NOT_FOUND for who is no member, and CONFLICT where less than nothing would be left of the category.
 */
export async function adjustPoints(deps: Pick<Deps, "db" | "now">, act: Act, adjustment: Adjustment) {
  const { category, key, member: name, points } = adjustment;
  return administer(deps, act, async (tx, note, at) => {
    const { id: userId, email } = await findMember(tx, name, "share");
    const rule = { ...ADJUSTMENT_RULE, category };
    const entry = { userId, rule, sourceId: key, points, comment: act.reason, occurredAt: at };
    const changed = (await postPoints(tx, [entry])).length === 1;
    // Posting has the member's sums until the transaction ends.
    const [sums] = await findStats(tx).execute({ userId, today: utcDay(at) });
    const left = {
      Connectivity: sums?.connectivity,
      Referral: sums?.referral,
      Rewards: sums?.rewards,
      Others: sums?.others,
    };
    if (changed && points < 0 && (left[category] ?? 0) < 0) {
      const had = formatPoints(roundPoints((left[category] ?? 0) - points));
      throw new AppError("CONFLICT", `The member has ${had} points of ${category}: no more can be taken.`);
    }
    if (changed) {
      await note({
        action: "points.adjusted",
        subject: "member",
        subjectId: userId,
        details: { points, category, key },
      });
    }
    return { id: userId, email, changed, points };
  });
}
