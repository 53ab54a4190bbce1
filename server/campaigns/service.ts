import { hash } from "node:crypto";
import { administratorIdOf, type Act, type Actor } from "../administration/actor.ts";
import { administer, permit } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { parseInput } from "../http/handle-call.ts";
import {
  type Campaign,
  type CampaignChange,
  type CampaignsQuery,
  CampaignState,
  type NewCampaign,
} from "./contract.ts";
import { insertMailing, queueMailing } from "./mailing.queries.ts";
import * as queries from "./queries.ts";

type CampaignDeps = Pick<Deps, "db" | "now">;
const TAKEN = "There is already a campaign with this id.";

type Times = Pick<queries.CampaignRow, "startsAt" | "endsAt">;

/** Adds the campaigns that a new installation begins with, or updates those that exist. */
export async function saveCampaigns(tx: Tx, campaigns: queries.NewCampaignRow[]): Promise<void> {
  if (campaigns.length > 0) await queries.upsertCampaigns(tx, campaigns);
}

/**
 * Returns campaigns by task number, running or not: all of them, or a page. Throws FORBIDDEN and PASSWORD_REQUIRED.
 */
export async function readCampaigns(
  { db, now }: CampaignDeps,
  actor: Actor,
  page: CampaignsQuery = {},
): Promise<Campaign[]> {
  await permit({ db, now }, actor);
  const found = await queries.findCampaigns(db, page);
  return found.map((campaign) => describeCampaign(campaign, now()));
}

/** Creates a campaign, and has members emailed when it starts. Throws CONFLICT if the id is taken. */
export async function createCampaign(
  deps: CampaignDeps,
  act: Act,
  { emailMembers, ...campaign }: NewCampaign,
): Promise<Campaign> {
  return administer(deps, act, async (tx, note, at) => {
    const made = await queries.insertCampaign(tx, toRow(campaign));
    if (!made) throw new AppError("CONFLICT", TAKEN, { fields: { id: [TAKEN] } });
    if (emailMembers) await insertMailing(tx, made.id, at);
    const created = describeCampaign(made, at);
    const details = { ...created, emailMembers };
    await note({ action: "campaign.created", subject: "campaign", subjectId: made.id, details });
    return created;
  });
}

type Changed = { id: string; change: CampaignChange };

/**
 * Changes a campaign, or when it runs. Points that were claimed keep their amount, and completions stay. Throws
 * NOT_FOUND, CONFLICT if the campaign has changed since the caller saw it or if an administrator would change points
 * that they can claim, and VALIDATION_ERROR if the result is not a valid campaign.
 */
export async function changeCampaign(deps: CampaignDeps, act: Act, { id, change }: Changed): Promise<Campaign> {
  const { seen, ...values } = change;
  return replaceCampaign(deps, act, { id, seen, change: () => values });
}

/**
 * Ends a campaign now. One that has ended already stays as it is; one that has not begun yet will not run. Throws
 * NOT_FOUND.
 */
export async function endCampaign(deps: CampaignDeps, act: Act, { id }: { id: string }): Promise<Campaign> {
  return replaceCampaign(deps, act, {
    id,
    change(campaign, at) {
      if (stateOf(campaign, at) === "ended") return {};
      const endsAt = at.toISOString();
      if (!campaign.startsAt || campaign.startsAt < at) return { endsAt };
      // It must begin before it ends, and must not have run before: without a start, it would always have been running.
      return { startsAt: new Date(at.getTime() - 1).toISOString(), endsAt };
    },
  });
}

type Replacement = {
  id: string;
  seen?: string | undefined;
  change: (campaign: queries.CampaignRow, at: Date) => CampaignChange;
};

async function replaceCampaign(deps: CampaignDeps, act: Act, { id, seen, change }: Replacement): Promise<Campaign> {
  return administer(deps, act, async (tx, note) => {
    const campaign = await queries.lockCampaign(tx, id);
    if (!campaign) throw new AppError("NOT_FOUND", "There is no such campaign.");
    // Read only now that the lock is held: what was recorded during the wait was done while the campaign ran.
    const at = deps.now();
    const before = describeCampaign(campaign, at);
    const asked = change(campaign, at);
    // A campaign that was created by hand may need more changes than were asked for to be valid.
    const changed = parseInput(CampaignState, { ...before, ...asked });
    const row = { ...toRow(changed), id };
    const after = describeCampaign(row, at);
    const names = Object.keys(toRow(changed)).filter((name) => !isSame(before, after, name));
    if (names.length === 0) return before;
    if (seen !== undefined && seen !== fingerprint(campaign)) throw new AppError("CONFLICT", CHANGED);
    if (names.includes("bonusPoints")) await refuseOwnPoints(tx, act, id);
    await queries.updateCampaign(tx, row);
    await queueMailing(tx, id, at);
    const details = { before: pick(before, names), after: pick(after, names) };
    await note({ action: "campaign.changed", subject: "campaign", subjectId: id, details });
    return after;
  });
}

const CHANGED =
  "Somebody has changed the campaign in the meantime. Compare it with what you typed: if you save again, yours replaces theirs.";

const OWN_POINTS =
  "You can still claim this campaign: claim it first, or ask another administrator to change its points.";

/** Nobody decides on their own points. The campaign is locked, so its completions are known. */
async function refuseOwnPoints(tx: Tx, { actor }: Act, campaignId: string): Promise<void> {
  const userId = administratorIdOf(actor);
  if (userId === null || !(await queries.canClaim(tx, { userId, campaignId }))) return;
  throw new AppError("CONFLICT", OWN_POINTS, { fields: { bonusPoints: [OWN_POINTS] } });
}

/** Returns a fingerprint of everything about a campaign. */
export const fingerprint = (campaign: queries.CampaignRow): string =>
  hash("sha256", JSON.stringify(campaign), "base64url").slice(0, 16);

const toInstant = (time: string | null) => (time === null ? null : new Date(time));

const toRow = <Values extends CampaignState>(campaign: Values) => ({
  ...campaign,
  startsAt: toInstant(campaign.startsAt),
  endsAt: toInstant(campaign.endsAt),
});

const isSame = (before: object, after: object, name: string) =>
  JSON.stringify(pick(before, [name])) === JSON.stringify(pick(after, [name]));

const pick = (from: object, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

/** Returns the state of a campaign: it runs from its first instant on, and has ended at its last one. */
export function stateOf({ startsAt, endsAt }: Times, at: Date): Campaign["state"] {
  if (endsAt && endsAt <= at) return "ended";
  return startsAt && startsAt > at ? "scheduled" : "running";
}

export const describeCampaign = (campaign: queries.CampaignRow, at: Date): Campaign => ({
  ...campaign,
  startsAt: campaign.startsAt?.toISOString() ?? null,
  endsAt: campaign.endsAt?.toISOString() ?? null,
  state: stateOf(campaign, at),
});
