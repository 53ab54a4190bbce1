import type { Actor } from "../administration/actor.ts";
import type { ListQuery } from "../administration/contract.ts";
import { parseCursor, toPage, formatCursor } from "../administration/paging.ts";
import { permit } from "../administration/service.ts";
import type { Db } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { MAX_COUNTED, type CampaignCompletions, type CampaignDetail, type CampaignEmails } from "./contract.ts";
import { findMailing } from "./mailing.queries.ts";
import * as queries from "./queries.ts";
import { describeCampaign, fingerprint, stateOf } from "./service.ts";

type Named = { id: string };

/**
 * Returns a campaign with how many members have completed and claimed it. Throws FORBIDDEN, PASSWORD_REQUIRED and
 * NOT_FOUND.
 */
export async function readCampaign(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: Actor,
  { id }: Named,
): Promise<CampaignDetail> {
  await permit({ db, now }, actor);
  const campaign = await find(db, id);
  const counts = await queries.countCompletions(db, id, MAX_COUNTED);
  const emails = await readEmails(db, campaign, now());
  return { campaign: describeCampaign(campaign, now()), ...counts, emails, seen: fingerprint(campaign) };
}

async function readEmails(db: Db, campaign: queries.CampaignRow, at: Date): Promise<CampaignEmails> {
  const mailing = await findMailing(db, campaign.id);
  if (!mailing) return { state: "off", members: 0 };
  const { emailed: members, finishedAt } = mailing;
  const state = stateOf(campaign, at);
  if (finishedAt || state === "ended") return { state: "done", members };
  return { state: state === "scheduled" && members === 0 ? "waiting" : "sending", members };
}

/** Returns a page of the members who completed a campaign. Throws FORBIDDEN, PASSWORD_REQUIRED and NOT_FOUND. */
export async function readCampaignCompletions(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: Actor,
  { id, after, limit }: Named & ListQuery,
): Promise<CampaignCompletions> {
  await permit({ db, now }, actor);
  await find(db, id);
  const found = await queries.findCompletions(db, { campaignId: id, after: parseCursor(after), limit: limit + 1 });
  return toPage(found, limit, {
    show: ({ id: userId, email, completedAt, claimedAt }) => ({
      member: { id: userId, email },
      completedAt: completedAt.toISOString(),
      claimedAt: claimedAt?.toISOString() ?? null,
    }),
    cursor: ({ id: userId, completedAt }) => formatCursor(completedAt, userId),
  });
}

async function find(db: Db, id: string) {
  const campaign = await queries.findCampaign(db, id);
  if (!campaign) throw new AppError("NOT_FOUND", "There is no such campaign.");
  return campaign;
}
