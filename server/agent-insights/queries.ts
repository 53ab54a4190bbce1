import { eq, sql } from "drizzle-orm";
import { column } from "../db/columns.ts";
import { opaqueParam } from "../db/opaque-param.ts";
import { prepared } from "../db/prepared.ts";
import { contentContributions, contentTotals, jobsDaily } from "../db/schema.ts";
import type { ContentKind } from "./contract.ts";

/**
 * Locks the content of members, in id order, until the transaction ends, so that two batches of one member cannot
 * change what the other finds.
 */
export const holdContent = prepared((db) =>
  db
    .insert(contentTotals)
    .select(
      sql`select distinct member.id, 0 from unnest(${opaqueParam("userIds", "uuid[]")}) as member (id) order by member.id`,
    )
    .onConflictDoUpdate({ target: contentTotals.userId, set: { userId: sql`excluded.user_id` } })
    .prepare("hold_content"),
);

/**
 * Finds content, given as one array per column, that is new, and returns its places in the arrays, in order. Each comes
 * with the points that its member's UTC day has earned so far.
 */
export const findNewContributions = prepared((db) =>
  db
    .select({ index: sql`position - 1`.mapWith(Number), earned: sql`coalesce(${jobsDaily.points}, 0)`.mapWith(Number) })
    .from(sql`(
      select distinct on (user_id, kind, reference) *
      from unnest(
        ${opaqueParam("userIds", "uuid[]")}, ${opaqueParam("kinds", "text[]")}, ${opaqueParam("references", "text[]")},
        ${opaqueParam("gatheredAts", "timestamptz[]")}
      ) with ordinality as content (user_id, kind, reference, gathered_at, position)
      where not exists (
        select from ${contentContributions} as known where known.user_id = content.user_id
          and known.kind = content.kind and known.reference = content.reference
      )
      order by user_id, kind, reference, position
    ) as fresh`)
    .leftJoin(
      jobsDaily,
      sql`${jobsDaily.userId} = fresh.user_id and ${jobsDaily.day} = (fresh.gathered_at at time zone 'UTC')::date`,
    )
    .orderBy(sql`position`)
    .prepare("find_new_contributions"),
);

/** Adds content, given as one array per column, and counts the new items, in one statement. */
export const insertContributions = prepared((db) => {
  const added = db.$with("added", {
    userId: column("user_id"),
    kind: sql<ContentKind>`kind`.as("kind"),
    reference: column("reference"),
    title: column("title"),
    points: sql`points`.mapWith(Number).as("points"),
    gatheredAt: sql`gathered_at`.mapWith(contentContributions.gatheredAt).as("gathered_at"),
  }).as(sql`
      insert into ${contentContributions} (user_id, id, kind, reference, title, points, gathered_at)
      select * from unnest(
        ${opaqueParam("userIds", "uuid[]")}, ${opaqueParam("ids", "uuid[]")}, ${opaqueParam("kinds", "text[]")}, ${opaqueParam("references", "text[]")},
        ${opaqueParam("titles", "text[]")}, ${opaqueParam("points", "numeric[]")}, ${opaqueParam("gatheredAts", "timestamptz[]")}
      ) as content (user_id, id, kind, reference, title, points, gathered_at)
      order by user_id, kind, reference
      on conflict (user_id, kind, reference) do nothing
      returning *`);

  const totals = db.$with("totals", {}).as(sql`
    insert into ${contentTotals} as kept (user_id, contributions)
    select user_id, count(*) from added group by 1 order by 1
    on conflict (user_id) do update set contributions = kept.contributions + excluded.contributions`);

  return db.with(added, totals).select().from(added).prepare("insert_contributions");
});

/**
 * Returns a page of content, newest first, with the total count on every row (and on one empty row if there is none).
 * Rows before the page are skipped in the index alone, because they lie as far apart as the days they came on. The
 * index is NULLS LAST, and PostgreSQL uses it for the order only if the query asks for exactly that.
 */
export const findContributions = prepared((db) =>
  db
    .select({
      total: sql`total`.mapWith(Number),
      kind: sql<ContentKind | null>`kind`,
      title: sql<string>`title`,
      points: sql`points`.mapWith(Number),
      gatheredAt: sql`gathered_at`.mapWith(contentContributions.gatheredAt),
    })
    .from(sql`(
      select coalesce((
        select ${contentTotals.contributions} from ${contentTotals} where ${eq(contentTotals.userId, sql.placeholder("userId"))}
      ), 0) as total, entry.*
      from (select) as page left join lateral (
        select kind, title, points, gathered_at, id
        from (
          select user_id, id from ${contentContributions}
          where ${eq(contentContributions.userId, sql.placeholder("userId"))}
          order by gathered_at desc nulls last, id desc nulls last
          limit ${sql.placeholder("limit")} offset ${sql.placeholder("offset")}
        ) as place join ${contentContributions} using (user_id, id)
      ) as entry on true
      order by gathered_at desc nulls last, id desc nulls last
    ) as page`)
    .prepare("find_contributions"),
);
