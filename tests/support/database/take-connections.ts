import type { Pool } from "pg";
import { actFor } from "../../../server/fair-share/caller.ts";

/** Takes every connection that there may be, each as somebody else. Returns what gives them back. */
export async function takeConnections(pool: Pool): Promise<() => void> {
  const clients = await Promise.all(
    Array.from({ length: pool.options.max }, (_, index) => actFor(`taker ${index}`, () => pool.connect())),
  );
  return () => clients.forEach((client) => client.release());
}
