import * as z from "zod";
import type { Db, Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { addToTotals, type findHeld, reviewHeld } from "./queries.ts";
import { payInvitee } from "./service.ts";

export type HeldReferral = Awaited<ReturnType<typeof findHeld>>[number];

type Decision = { id: string; at: Date };

/** Pays the friend and makes it an invitation like any other. Throws NOT_FOUND where nothing waits for a decision. */
export async function releaseHeld(db: Db, { id, at }: Decision): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { inviteeId } = await decide(tx, { id, at, review: "released" });
    await payInvitee(tx, { id, inviteeId, at });
  });
}

/** Ends it for good: nobody is paid, and the inviter's list does without it. Throws NOT_FOUND as above. */
export async function refuseHeld(db: Db, { id, at }: Decision): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { inviterId } = await decide(tx, { id, at, review: "refused" });
    await addToTotals(tx, { userId: inviterId, invited: -1, successful: 0, points: 0 });
  });
}

async function decide(tx: Tx, decision: Parameters<typeof reviewHeld>[1]) {
  const held = z.uuid().safeParse(decision.id).success && (await reviewHeld(tx, decision));
  if (!held) throw new AppError("NOT_FOUND", "No held invitation has this id.");
  return held;
}
