import type { Db } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { addToTotals, findHeld, reviewHeld } from "./queries.ts";
import { payInvitee } from "./service.ts";

export type HeldReferral = Awaited<ReturnType<typeof findHeld>>[number];

/** Invitations that wait for somebody's decision, the oldest first. */
export const listHeld = (db: Db): Promise<HeldReferral[]> => findHeld(db);

type Decision = { id: string; at: Date };

/** Pays the friend and makes it an invitation like any other. Throws NOT_FOUND where nothing waits for a decision. */
export async function releaseHeld(db: Db, { id, at }: Decision): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await reviewHeld(tx, { id, at, review: "released" });
    if (!held) throw new AppError("NOT_FOUND", "No held invitation has this id.");
    await payInvitee(tx, { id, inviteeId: held.inviteeId, at });
  });
}

/** Ends it for good: nobody is paid, and the inviter's list does without it. Throws NOT_FOUND as above. */
export async function refuseHeld(db: Db, { id, at }: Decision): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await reviewHeld(tx, { id, at, review: "refused" });
    if (!held) throw new AppError("NOT_FOUND", "No held invitation has this id.");
    await addToTotals(tx, { userId: held.inviterId, invited: -1, successful: 0, points: 0 });
  });
}
