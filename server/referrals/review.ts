import * as z from "zod";
import type { Act, Actor } from "../administration/actor.ts";
import { administer, permit } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { addToTotals, findHeld, reviewHeld } from "./queries.ts";
import { payInvitee } from "./service.ts";

export type HeldReferral = Awaited<ReturnType<typeof findHeld>>[number];

type ReviewDeps = Pick<Deps, "db" | "now">;

/** Invitations that wait for a decision, the oldest first. Throws FORBIDDEN. */
export async function readHeld({ db, now }: ReviewDeps, actor: Actor): Promise<HeldReferral[]> {
  await permit({ db, now }, actor);
  return findHeld(db);
}

/**
 * Pays the friend and makes it an invitation like any other. Throws FORBIDDEN, and NOT_FOUND where nothing waits for a
 * decision.
 */
export async function releaseHeld(deps: ReviewDeps, act: Act, { id }: { id: string }): Promise<void> {
  await administer(deps, act, async (tx, note, at) => {
    const { inviteeId } = await decide(tx, { id, at, review: "released" });
    await payInvitee(tx, { id, inviteeId, at });
    await note({ action: "referral.released", subject: "referral", subjectId: id });
  });
}

/** Ends it for good: nobody is paid, and the inviter's list does without it. Throws as above. */
export async function refuseHeld(deps: ReviewDeps, act: Act, { id }: { id: string }): Promise<void> {
  await administer(deps, act, async (tx, note, at) => {
    const { inviterId } = await decide(tx, { id, at, review: "refused" });
    await addToTotals(tx, { userId: inviterId, invited: -1, successful: 0, points: 0 });
    await note({ action: "referral.refused", subject: "referral", subjectId: id });
  });
}

async function decide(tx: Tx, decision: Parameters<typeof reviewHeld>[1]) {
  const held = z.uuid().safeParse(decision.id).success && (await reviewHeld(tx, decision));
  if (!held) throw new AppError("NOT_FOUND", "No held invitation has this id.");
  return held;
}
