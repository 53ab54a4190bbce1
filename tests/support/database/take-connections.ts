import type { Pool } from "pg";
import { runAsCaller } from "../../../server/fair-share/caller.ts";

/** Takes every connection of the pool, each in another caller's name. Returns a function that releases them. */
export async function takeConnections(pool: Pool): Promise<() => void> {
  const clients = await Promise.all(
    Array.from({ length: pool.options.max }, (_, index) => runAsCaller(`taker ${index}`, () => pool.connect())),
  );
  return () => clients.forEach((client) => client.release());
}
