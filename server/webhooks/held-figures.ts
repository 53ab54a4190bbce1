import { sql } from "drizzle-orm";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../db/schema.ts";
import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";

type HeldFigures = { held: number; oldestSeconds: number };

/**
 * How many messages wait for a webhook that is paused, and how long ago the first of them happened. Ends by itself
 * after two seconds.
 */
export async function readHeldFigures({ db, now }: Pick<Deps, "db" | "now">): Promise<HeldFigures> {
  const rows = await inTransaction(db, async (tx) => {
    await limitStatements(tx, 2_000);
    const { rows } = await tx.execute<HeldFigures>(sql`
      select count(*)::integer as held,
        coalesce(greatest(0, extract(epoch from ${now().toISOString()}::timestamptz - min(event.at))), 0)::float8
          as "oldestSeconds"
      from ${webhookEndpoints} as endpoint
      join ${webhookDeliveries} as delivery on delivery.endpoint_id = endpoint.id
        and delivery.delivered_at is null and delivery.given_up_at is null
      join ${webhookEvents} as event on event.id = delivery.event_id
      where endpoint.paused_at is not null and endpoint.removed_at is null`);
    return rows;
  });
  return rows[0] ?? { held: 0, oldestSeconds: 0 };
}
