import type { Db } from "../../../server/db/client.ts";
import { statusSamples } from "../../../server/db/schema.ts";

const MINUTE = 60_000;

/** Records, for the minutes up to a moment, that heartbeats were received, as a server process does. */
export async function seedHeardMinutes(db: Db, until: Date, minutes = 20): Promise<void> {
  const last = Math.floor(until.getTime() / MINUTE);
  const rows = Array.from({ length: minutes }, (_, index) => ({
    part: "heartbeats",
    minute: new Date((last - index) * MINUTE),
    state: 0,
  }));
  await db.insert(statusSamples).values(rows).onConflictDoNothing();
}
