import { uuidv7 } from "uuidv7";
import { describeDoer, type Act, type Actor } from "../administration/actor.ts";
import { findMember } from "../administration/members.ts";
import { parseCursor, toPage, formatCursor } from "../administration/paging.ts";
import { lockAdministratorSince } from "../administration/queries.ts";
import { administer, permit, type Note } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { utcDay } from "../points/utc-day.ts";
import {
  describeAdjustment,
  findAdjustment,
  postAdjustment,
  requireLeft,
  requireSame,
  type Adjusting,
} from "./adjustment.ts";
import type {
  Adjustment,
  AdjustmentOutcome,
  AdjustmentRequest,
  AdjustmentRequests,
  AdjustmentRequestsQuery,
} from "./contract.ts";
import * as queries from "./queries.ts";

type AdjustmentDeps = Pick<Deps, "db" | "env" | "now">;

/** How long a request stays open for a decision, in milliseconds. */
const OPEN_MS = 7 * 24 * 60 * 60 * 1000;

const adminOf = (actor: Actor): string => {
  if (actor.kind === "administrator") return actor.userId;
  throw new Error("Only administrators need another one");
};

/**
 * Gives or takes points in an administrator's name. Posts them at once while the administrator stays within the daily
 * allowance (UTC); otherwise makes a request that another administrator decides on. An administrator's own points
 * always need a request. Each key is used once. Throws NOT_FOUND if there is no such member, and CONFLICT if fewer than
 * zero points would be left, or if another adjustment has the key.
 */
export async function makeAdjustment(
  { env, ...deps }: AdjustmentDeps,
  act: Act,
  { member: name, ...wanted }: Adjustment,
): Promise<AdjustmentOutcome> {
  const administratorId = adminOf(act.actor);
  return administer(deps, act, async (tx, note, at) => {
    const member = await findMember(tx, name, "share");
    const adjusting: Adjusting = { ...wanted, userId: member.id, reason: act.reason };
    const outcome = await adjust(tx, note, { adjusting, administratorId, alone: env.adjustmentApprovalAbove, at });
    return { ...outcome, member: { id: member.id, email: member.email }, points: wanted.points };
  });
}

type RequestedAdjustment = { adjusting: Adjusting; administratorId: string; alone: number; at: Date };

type Outcome = Pick<AdjustmentOutcome, "outcome" | "state">;

async function adjust(tx: Tx, note: Note, requested: RequestedAdjustment): Promise<Outcome> {
  const { adjusting, administratorId, alone, at } = requested;
  const use = (points: number) => queries.useAllowance(tx, { administratorId, day: utcDay(at), points });
  const points = Math.abs(adjusting.points);
  // If two equal calls arrive at once, the second waits here and then finds what the first has done.
  const used = await use(points);
  const existing = await findExisting(tx, adjusting, at);
  if (!existing) {
    const isAlone = used <= alone && adjusting.userId !== administratorId;
    if (!isAlone) {
      await use(-points);
      return request(tx, note, requested);
    }
    if (await postAdjustment(tx, adjusting, at)) {
      await note(describeAdjustment(adjusting));
      return { outcome: "posted", state: "posted" };
    }
  }
  await use(-points);
  // Another administrator may have used the same key for something else a moment ago.
  return { outcome: "already", state: existing ?? (await findExisting(tx, adjusting, at)) ?? "posted" };
}

/**
 * Returns the state of the member's adjustment with this key, or undefined if the key is new. Throws CONFLICT if the
 * key belongs to a different adjustment.
 */
async function findExisting(tx: Tx, adjusting: Adjusting, at: Date): Promise<Outcome["state"] | undefined> {
  const posted = await findAdjustment(tx, adjusting);
  const found = posted ? undefined : await queries.findRequestByKey(tx, adjusting);
  requireSame(posted ?? found?.request, adjusting);
  if (posted) return "posted";
  const state = found && stateOf(found.request, { since: found.requesterSince, at });
  return state === "approved" ? "posted" : state;
}

async function request(tx: Tx, note: Note, { adjusting, administratorId, at }: RequestedAdjustment): Promise<Outcome> {
  await requireLeft(tx, { ...adjusting, posted: false, at });
  const id = uuidv7();
  const expiresAt = new Date(at.getTime() + OPEN_MS);
  const row = { ...adjusting, id, requestedBy: administratorId, requestedAt: at, expiresAt };
  // Another administrator has just used the same key.
  if (!(await queries.insertRequest(tx, row)))
    return { outcome: "already", state: (await findExisting(tx, adjusting, at)) ?? "waiting" };
  const change = describeAdjustment(adjusting);
  await note({ ...change, action: "points.requested", details: { ...change.details, requestId: id } });
  return { outcome: "waiting", state: "waiting" };
}

type Named = { id: string };

/**
 * Posts what another administrator requested, once. Throws NOT_FOUND. Throws CONFLICT if the caller made the request,
 * would get the points, or became an administrator after it was made; if it has been decided or has expired; if its
 * requester has lost the role since; or if the member does not have the points to be taken.
 */
export async function approveAdjustment(deps: AdjustmentDeps, act: Act, { id }: Named): Promise<AdjustmentRequest> {
  const decidedBy = adminOf(act.actor);
  return administer(deps, act, async (tx, note, at) => {
    const requested = await lockOpen(tx, id);
    if (requested.requestedBy === decidedBy) refuse("You requested this: another administrator has to approve it.");
    if (requested.userId === decidedBy) refuse(YOURS);
    if (requested.expiresAt <= at) refuse("This request has expired. Request the points again.");
    // Nobody may make a request, give the role to a second account, and approve with that one.
    await requireRoleSince(tx, decidedBy, requested, TOO_LATE);
    await requireRoleSince(tx, requested.requestedBy, requested, REQUESTER_GONE);
    const member = await findMember(tx, requested.userId, "share");
    const adjusting: Adjusting = { ...requested, userId: member.id };
    if (!(await postAdjustment(tx, adjusting, at)))
      refuse("The member has this adjustment already: decline the request.");
    await queries.storeDecision(tx, { id, decision: "approved", decidedBy, decidedAt: at });
    const change = describeAdjustment(adjusting);
    const details = { ...change.details, requestId: id, requestedBy: requested.requestedBy };
    await note({ ...change, action: "points.approved", details });
    return readDecided(tx, { id, caller: decidedBy, at });
  });
}

/**
 * Ends a request without posting anything, even if it has expired. Throws NOT_FOUND. Throws CONFLICT if it has been
 * decided, or if somebody else requested it for the caller's own points.
 */
export async function declineAdjustment(deps: AdjustmentDeps, act: Act, { id }: Named): Promise<AdjustmentRequest> {
  const decidedBy = adminOf(act.actor);
  return administer(deps, act, async (tx, note, at) => {
    const requested = await lockOpen(tx, id);
    // Requesters may withdraw their own request, even for their own points.
    if (requested.userId === decidedBy && requested.requestedBy !== decidedBy) refuse(YOURS);
    await queries.storeDecision(tx, { id, decision: "declined", decidedBy, decidedAt: at });
    const change = describeAdjustment(requested);
    await note({ ...change, action: "points.declined", details: { ...change.details, requestId: id } });
    return readDecided(tx, { id, caller: decidedBy, at });
  });
}

const YOURS = "These points are yours: another administrator has to decide.";

async function lockOpen(tx: Tx, id: string): Promise<queries.RequestRow> {
  const requested = await queries.lockRequest(tx, id);
  if (!requested) throw new AppError("NOT_FOUND", "There is no such request.");
  if (requested.decision) refuse(`This request was ${requested.decision} before.`);
  return requested;
}

const TOO_LATE = "This was requested before you became an administrator: somebody who was one then has to approve it.";
const REQUESTER_GONE =
  "The administrator who requested this has since lost the role. Decline it, and request the points yourself.";

/** Throws CONFLICT unless somebody has been an administrator since the request was made, without a break. */
async function requireRoleSince(
  tx: Tx,
  userId: string,
  requested: queries.RequestRow,
  otherwise: string,
): Promise<void> {
  const since = await lockAdministratorSince(tx, userId);
  if (!since || since > requested.requestedAt) refuse(otherwise);
}

function refuse(message: string): never {
  throw new AppError("CONFLICT", message);
}

/** Returns a page of requests. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readAdjustmentRequests(
  { db, env, now }: AdjustmentDeps,
  actor: Actor,
  { show, limit, ...query }: AdjustmentRequestsQuery,
): Promise<AdjustmentRequests> {
  await permit({ db, now }, actor);
  const [administratorId, at] = [adminOf(actor), now()];
  const after = parseCursor(query.after);
  const found = await (show === "waiting"
    ? queries.findOpen(db, { after, limit: limit + 1, now: at })
    : queries.findAll(db, { after, limit: limit + 1 }));
  const perDay = env.adjustmentApprovalAbove;
  const used = await queries.findUsed(db, { administratorId, day: utcDay(at) });
  return {
    ...toPage(found, limit, {
      show: (each) => describeRequest(each, { caller: administratorId, at }),
      cursor: ({ request }) => formatCursor(request.expiresAt, request.id),
    }),
    alone: { perDay, left: Math.max(0, perDay - used) },
  };
}

type Seen = { caller: string; at: Date };

async function readDecided(tx: Tx, { id, ...seen }: Seen & Named): Promise<AdjustmentRequest> {
  const found = await queries.findRequest(tx, id);
  if (!found) throw new Error("A request that was decided on is there");
  return describeRequest(found, seen);
}

function describeRequest({ request, ...found }: queries.FoundRequest, { at, caller }: Seen): AdjustmentRequest {
  const { id, points, category, reason, requestedAt, requestedBy, expiresAt, decidedAt, decidedBy, userId } = request;
  return {
    id,
    points,
    category,
    reason,
    member: { id: userId, email: found.email },
    requestedBy: describeDoer(requestedBy, found.requesterEmail),
    requestedAt: requestedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    state: stateOf(request, { since: found.requesterSince, at }),
    decidedBy: decidedBy === null ? null : describeDoer(decidedBy, found.deciderEmail),
    decidedAt: decidedAt?.toISOString() ?? null,
    isOwn: requestedBy === caller,
  };
}

type Standing = { since: Date | null; at: Date };

function stateOf({ decision, expiresAt, requestedAt }: queries.RequestRow, { at, since }: Standing) {
  if (decision) return decision;
  if (expiresAt <= at) return "expired";
  return since && since <= requestedAt ? "waiting" : "void";
}
