import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { PointsLogDetail } from "../contract.ts";
import { findDetail } from "./detail.queries.ts";
import type { RuleBook } from "../rules.ts";

type Found = Awaited<ReturnType<ReturnType<typeof findDetail>["execute"]>>[number];

/** Explains a row of the member's log. Throws NOT_FOUND if the member has no such row. */
export async function readLogDetail(
  { db, env, describe }: Pick<Deps, "db" | "env"> & { describe: RuleBook },
  userId: string,
  id: string,
): Promise<PointsLogDetail> {
  const [found] = await findDetail(db).execute({ userId, id });
  if (!found) throw new AppError("NOT_FOUND", "There is no such entry.");
  const words = describe(env, found);
  return {
    id: found.id,
    category: found.category,
    points: found.points,
    comment: found.comment,
    timestamp: found.occurredAt.toISOString(),
    postedAt: found.postedAt.toISOString(),
    source: {
      kind: found.source,
      id: found.sourceId,
      title: words?.title ?? found.source,
      name: found.deviceName ?? found.friendEmail ?? found.campaignName ?? found.contentTitle,
      occurredAt: whenItHappened(found)?.toISOString() ?? null,
    },
    rule: {
      name: found.rule,
      version: found.ruleVersion,
      text: words?.text ?? null,
      points: words?.points ?? null,
    },
    runningTotal: found.total,
    categoryTotal: found.categoryTotal,
  };
}

const whenItHappened = ({ beatAt, completedAt, gatheredAt, invitedAt }: Found) =>
  beatAt ?? invitedAt ?? completedAt ?? gatheredAt;
