import { sql } from "drizzle-orm";
import { opaqueParam } from "../../db/opaque-param.ts";
import { prepared } from "../../db/prepared.ts";
import {
  campaigns,
  campaignSubmissions,
  contentContributions,
  heartbeats,
  nodeDevices,
  pointsLedger,
  referrals,
  users,
} from "../../db/schema.ts";
import type { PointsCategory } from "../contract.ts";
import { IS_LISTED } from "../ledger/listed.queries.ts";
import { runningTotal } from "./running-total.queries.ts";

const instant = (name: string) => sql<Date | null>`${sql.raw(name)}`.mapWith(pointsLedger.occurredAt);
const certain = (name: string) => sql<Date>`${sql.raw(name)}`.mapWith(pointsLedger.occurredAt);

/** The id of the referral, if the event is one. */
const INVITATION = sql`case when entry.source = 'referral' and entry.source_id ~ '^[0-9a-f-]{36}$' then entry.source_id::uuid end`;

/**
 * Finds one entry of a member's log, the event behind it and the points after it. Each part is looked up by key. Only
 * the member's own friends, devices and items are found, whatever the row names.
 */
export const findDetail = prepared((db) =>
  db
    .select({
      id: sql<string>`entry.id`,
      category: sql<PointsCategory>`entry.category`,
      points: sql`entry.points`.mapWith(Number),
      comment: sql<string>`entry.comment`,
      source: sql<string>`entry.source`,
      sourceId: sql<string>`entry.source_id`,
      rule: sql<string>`entry.rule`,
      ruleVersion: sql`entry.rule_version`.mapWith(Number),
      occurredAt: certain("entry.occurred_at"),
      postedAt: certain("entry.posted_at"),
      total: sql`running.total`.mapWith(Number),
      categoryTotal: sql`running.in_category`.mapWith(Number),
      beatAt: instant("beat.beat_at"),
      deviceName: sql<string | null>`device.name`,
      invitedAt: instant("invitation.invited_at"),
      // A deleted account has no email address any more.
      friendEmail: sql<string | null>`case when friend.deleted_at is null then friend.email end`,
      campaignName: sql<string | null>`campaign.name`,
      campaignPoints: sql<number | null>`campaign.bonus_points`.mapWith(campaigns.bonusPoints),
      completedAt: instant("submission.completed_at"),
      contentTitle: sql<string | null>`content.title`,
      gatheredAt: instant("content.gathered_at"),
    })
    .from(
      sql`${pointsLedger} as entry
      cross join lateral (${runningTotal({
        userId: sql`entry.user_id`,
        at: sql`entry.occurred_at`,
        id: sql`entry.id`,
        category: sql`entry.category`,
      })}) as running
      left join lateral (
        select slot.beat_at, slot.device_id from ${heartbeats} as slot
        where entry.source = 'heartbeat' and slot.user_id = entry.user_id and slot.slot_at <= entry.occurred_at
          and slot.slot_at > entry.occurred_at - interval '24 hours'
        order by slot.slot_at desc limit 1
      ) as beat on beat.beat_at = entry.occurred_at
      left join ${nodeDevices} as device on device.user_id = entry.user_id and device.id = beat.device_id
      left join ${referrals} as invitation
        on invitation.inviter_id = entry.user_id and invitation.id = ${INVITATION}
      left join ${users} as friend on friend.id = invitation.invitee_id
      left join ${campaigns} as campaign on entry.source = 'campaign' and campaign.id = entry.source_id
      left join ${campaignSubmissions} as submission
        on submission.user_id = entry.user_id and submission.campaign_id = campaign.id
      left join ${contentContributions} as content
        on entry.source = 'content' and content.user_id = entry.user_id
        and content.kind = split_part(entry.source_id, ':', 1)
        and content.reference = substr(entry.source_id, strpos(entry.source_id, ':') + 1)`,
    )
    .where(
      sql`entry.user_id = ${opaqueParam("userId", "uuid")} and entry.id = ${opaqueParam("id", "uuid")} and ${IS_LISTED}`,
    )
    .prepare("find_log_detail"),
);
