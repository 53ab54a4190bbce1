import { and, eq, ne } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { chainJobs } from "../db/schema.ts";

/** Whether there is a deployment that did not fail, under way or done. */
export async function hasDeployment(db: Db | Tx, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: chainJobs.id })
    .from(chainJobs)
    .where(and(eq(chainJobs.userId, userId), eq(chainJobs.kind, "deploy"), ne(chainJobs.state, "failed")))
    .limit(1);
  return found.length === 1;
}
