import { randomBytes } from "node:crypto";
import { seedMember, type createTestApi } from "./api.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { countBeats } from "../../server/heartbeats/service.ts";
import { recordReferral } from "../../server/referrals/service.ts";

export type Progress = { heartbeats?: number; wallet?: boolean; email?: string };

const HOUR_MS = 3_600_000;

/** Makes somebody who joined with a member's link and has come so far. Returns the referral's id. */
export async function inviteFriend(
  deps: ReturnType<typeof createTestApi>["deps"],
  inviterId: string,
  { heartbeats = 0, wallet = false, email }: Progress,
) {
  const known = { ...(wallet && { wallet: `0x${randomBytes(20).toString("hex")}` }), ...(email && { email }) };
  const { user } = await seedMember(deps, known);
  const at = deps.now();
  const beats = Array.from({ length: heartbeats }, (_, index) => {
    const beatAt = new Date(at.getTime() - index * HOUR_MS);
    return { userId: user.id, beatAt, receivedAt: beatAt };
  });
  return inTransaction(deps.db, async (tx) => {
    await countBeats(tx, beats, deps.env);
    return (await recordReferral(tx, { inviterId, inviteeId: user.id, at })) ?? "";
  });
}
