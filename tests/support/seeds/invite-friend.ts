import { randomBytes } from "node:crypto";
import { seedMember, type createTestApi } from "../api/api.ts";
import type { SeedFriend } from "../app-messages.ts";
import { hourlyBeats } from "./beats.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { countBeats } from "../../../server/heartbeats/service.ts";
import { recordReferral } from "../../../server/referrals/service.ts";

/** Adds a friend with this progress who joined with a member's link. Returns the referral's id. */
export async function inviteFriend(
  deps: ReturnType<typeof createTestApi>["deps"],
  inviterId: string,
  { heartbeats = 0, wallet = false, email }: SeedFriend,
) {
  const known = { ...(wallet && { wallet: `0x${randomBytes(20).toString("hex")}` }), ...(email && { email }) };
  const { user } = await seedMember(deps, known);
  const at = deps.now();
  return inTransaction(deps.db, async (tx) => {
    await countBeats(tx, hourlyBeats(user.id, heartbeats, at), deps.env);
    return (await recordReferral(tx, { inviterId, inviteeId: user.id, at })) ?? "";
  });
}
