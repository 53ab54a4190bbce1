import { eq, sql } from "drizzle-orm";
import { hiddenValue } from "../db/hidden-value.ts";
import { prepared } from "../db/prepared.ts";
import { contentContributions, contentTotals } from "../db/schema.ts";
import type { ContentKind } from "./contract.ts";

const column = (name: string) => sql<string>`${sql.identifier(name)}`.as(name);

/** Adds content, given as one array a column, and counts what was not there before, in one statement. */
export const insertContributions = prepared((db) => {
  const added = db.$with("added", {
    userId: column("user_id"),
    kind: sql<ContentKind>`kind`.as("kind"),
    reference: column("reference"),
    title: column("title"),
    gatheredAt: sql`gathered_at`.mapWith(contentContributions.gatheredAt).as("gathered_at"),
  }).as(sql`
      insert into ${contentContributions} (user_id, id, kind, reference, title, points, gathered_at)
      select * from unnest(
        ${hiddenValue("userIds", "uuid[]")}, ${hiddenValue("ids", "uuid[]")}, ${hiddenValue("kinds", "text[]")}, ${hiddenValue("references", "text[]")},
        ${hiddenValue("titles", "text[]")}, ${hiddenValue("points", "numeric[]")}, ${hiddenValue("gatheredAts", "timestamptz[]")}
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
 * A page of content, newest first, with the number of all on every row (and on one empty row where there is none).
 * The index is NULLS LAST, and PostgreSQL uses it for the order only when it is asked for exactly that.
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
        select kind, title, points, gathered_at, id from ${contentContributions}
        where ${eq(contentContributions.userId, sql.placeholder("userId"))}
        order by gathered_at desc nulls last, id desc nulls last
        limit ${sql.placeholder("limit")} offset ${sql.placeholder("offset")}
      ) as entry on true
      order by gathered_at desc nulls last, id desc nulls last
    ) as page`)
    .prepare("find_contributions"),
);
