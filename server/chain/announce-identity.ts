import { announce } from "../announcements/announce.queries.ts";
import type { Tx } from "../db/client.ts";
import type { Job } from "./chain-gateway.ts";

/**
 * Announces a Machine ID, which a machine's first call registers. Does so once, even if a reorganisation takes the call
 * back for a while.
 */
export async function announceIdentity(tx: Tx, { id, kind, machineAddress, userId }: Job, at: Date): Promise<void> {
  if (kind !== "execute") return;
  const data = { memberId: userId, machineAddress: machineAddress ?? "" };
  await announce(tx, { type: "machine_id.created", subject: id, at, data });
}
