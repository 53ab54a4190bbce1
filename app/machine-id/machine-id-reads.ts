import type { PageReads } from "../api/page-reads.ts";
import { machineIdentityQuery, machineIdStatusQuery, smartAccountQuery } from "../api/queries.ts";

/** What the header shows of the member's way to a Machine ID; its record only once there is one. */
export async function machineIdReads({ get, read }: PageReads) {
  const statuses = [smartAccountQuery(read), machineIdStatusQuery(read)];
  // Whatever goes wrong here is told by the reads themselves: then the header shows no button.
  const machineId = await get(machineIdStatusQuery(read)).catch(() => null);
  return machineId?.status === "completed" ? [...statuses, machineIdentityQuery(read)] : statuses;
}
