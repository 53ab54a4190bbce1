import type { Db, Tx } from "../db/client.ts";

/** Replaced by the chain's own. */
export async function hasStartedDeployment(_db: Db | Tx, _userId: string): Promise<boolean> {
  return false;
}
