import * as z from "zod";
import type { Act, Actor } from "../administration/actor.ts";
import { toPage } from "../administration/paging.ts";
import { administer, permit } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import {
  MAX_FRIENDS,
  MAX_TWINS,
  type HeldReferralDetail,
  type HeldReferrals,
  type HeldReferralsQuery,
} from "./contract.ts";
import { addToTotals } from "./queries.ts";
import * as queries from "./review.queries.ts";
import { payInvitee } from "./service.ts";

export type HeldReferral = Awaited<ReturnType<typeof queries.findHeld>>[number];

type ReviewDeps = Pick<Deps, "db" | "now">;

/** Returns the invitations that wait for a decision, oldest first. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readHeld({ db, now }: ReviewDeps, actor: Actor): Promise<HeldReferral[]> {
  await permit({ db, now }, actor);
  return queries.findHeld(db);
}

/** Returns a page of them. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readHeldPage(
  { db, now }: ReviewDeps,
  actor: Actor,
  query: HeldReferralsQuery,
): Promise<HeldReferrals> {
  await permit({ db, now }, actor);
  const found = await queries.findHeld(db, { after: query.after, limit: query.limit + 1 });
  return toPage(found, query.limit, {
    show: ({ id, inviter, inviterId, invitee, inviteeId, reason, heldAt }) => ({
      id,
      inviter: name(inviterId, inviter),
      invitee: name(inviteeId, invitee),
      reason,
      heldAt: heldAt?.toISOString() ?? null,
    }),
    cursor: ({ id }) => id,
  });
}

/**
 * Returns everything known about a held invitation. Throws FORBIDDEN and PASSWORD_REQUIRED, and NOT_FOUND if no
 * invitation with this id waits for a decision.
 */
export async function readHeldDetail(
  { db, now }: ReviewDeps,
  actor: Actor,
  { id }: { id: string },
): Promise<HeldReferralDetail> {
  await permit({ db, now }, actor);
  const found = await queries.findHeldDetail(db, id);
  if (!found) throw new AppError("NOT_FOUND", NONE_HELD);
  const { inviter, invitee, inviteeHeartbeats, heldAt, mailboxKey, reason } = found;
  // Members who have left no longer have a mailbox.
  const twins =
    mailboxKey === ""
      ? []
      : await queries.findMailboxSharers(db, { mailboxKey, inviteeId: invitee.id, limit: MAX_TWINS });
  return {
    id,
    reason,
    heldAt: heldAt?.toISOString() ?? null,
    inviter: { ...describeMember(inviter), friends: await queries.countReviews(db, inviter.id, MAX_FRIENDS) },
    invitee: { ...describeMember(invitee), heartbeats: inviteeHeartbeats },
    sameMailbox: twins,
  };
}

type Found = NonNullable<Awaited<ReturnType<typeof queries.findHeldDetail>>>;

/** A member who has deleted their account has their id as address. */
const name = (id: string, email: string) => ({ id, email: email === id ? null : email });

const describeMember = ({ id, email, joinedAt, hasWallet }: Found["inviter"]) => ({
  ...name(id, email),
  joinedAt: joinedAt.toISOString(),
  hasWallet,
});

const NONE_HELD = "No held invitation has this id.";

/**
 * Releases a held invitation: pays the friend, and treats it like any other. Throws NOT_FOUND if none waits for a
 * decision, and CONFLICT for an administrator who is the inviter or the friend.
 */
export async function releaseHeld(deps: ReviewDeps, act: Act, named: { id: string }): Promise<void> {
  await administer(deps, act, async (tx, note, at) => {
    const { id, inviteeId } = await decide(tx, act, { ...named, at, review: "released" });
    await payInvitee(tx, { id, inviteeId, at });
    await note({ action: "referral.released", subject: "referral", subjectId: id });
  });
}

/**
 * Refuses a held invitation for good: nobody is paid, and it disappears from the inviter's list. Throws the same
 * errors.
 */
export async function refuseHeld(deps: ReviewDeps, act: Act, named: { id: string }): Promise<void> {
  await administer(deps, act, async (tx, note, at) => {
    const { id, inviterId } = await decide(tx, act, { ...named, at, review: "refused" });
    await addToTotals(tx, { userId: inviterId, invited: -1, successful: 0, points: 0 });
    await note({ action: "referral.refused", subject: "referral", subjectId: id });
  });
}

async function decide(tx: Tx, { actor }: Act, decision: Parameters<typeof queries.reviewHeld>[1]) {
  const held = z.uuid().safeParse(decision.id).success && (await queries.reviewHeld(tx, decision));
  if (!held) throw new AppError("NOT_FOUND", NONE_HELD);
  if (actor.kind === "administrator" && [held.inviterId, held.inviteeId].includes(actor.userId)) {
    throw new AppError("CONFLICT", "This invitation is yours: another administrator has to decide.");
  }
  return held;
}
