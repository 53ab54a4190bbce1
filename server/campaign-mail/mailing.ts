import { EMAIL_CAMPAIGN } from "../campaigns/mailing.queries.ts";
import { stateOf } from "../campaigns/service.ts";
import type { CampaignRow } from "../campaigns/queries.ts";
import type { Tx } from "../db/client.ts";
import { readSlowerClock } from "../db/clock.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Again, JobKind } from "../jobs/job.ts";
import { createUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import * as emails from "./emails.ts";
import * as queries from "./slice.queries.ts";

/** How many members are emailed in one transaction. */
export const SLICE = 25;

/**
 * The most emails that may wait before more are added, whether they are about campaigns or not. Without this limit, the
 * emails to everybody would gather while the mail server is down, and codes would wait behind them afterwards.
 */
export const MOST_WAITING = 500;

/** How long to wait before looking again whether the emails so far were sent, in milliseconds. */
export const NEXT_LOOK_MS = 2_000;

/** How long an email is worth sending, in milliseconds, if the campaign does not end earlier. */
const LIFETIME_MS = 7 * 24 * 60 * 60_000;

type MailingDeps = Pick<Deps, "db" | "mailed" | "now" | "outbox">;

/**
 * Creates the job that emails members about a campaign that has started. Each transaction locks the mailing, queues the
 * next emails and moves the place it has reached. So each member is emailed once, even if a process dies or two have
 * the job. That is why it does not check its lease.
 */
export const createCampaignMailing = (deps: MailingDeps): Record<typeof EMAIL_CAMPAIGN, JobKind> => ({
  [EMAIL_CAMPAIGN]: {
    atOnce: 1,
    lease: 60_000,
    // A campaign may start much later than that. Then the job is looked at in vain whenever a process starts.
    backOff: { first: 5_000, longest: 10 * 60_000 },
    run: ({ key }) => inTransaction(deps.db, (tx) => emailNextMembers(deps, tx, key)),
  },
});

/** Queues the next emails about a campaign while it runs. Those that are left when it has ended are not sent. */
async function emailNextMembers(deps: MailingDeps, tx: Tx, campaignId: string): Promise<Again | void> {
  const found = await queries.lockMailing(tx, campaignId);
  if (!found || found.mailing.finishedAt) return;
  const { campaign, mailing } = found;
  // An email cannot be taken back, so a clock that is ahead must not start early.
  const now = await readSlowerClock({ db: tx, now: deps.now });
  const state = stateOf(campaign, now);
  if (state === "ended") return;
  if (campaign.startsAt && state === "scheduled") return { again: campaign.startsAt.getTime() - now.getTime() };

  const { due, waiting } = await queries.countQueuedEmails(tx, { now, most: MOST_WAITING });
  if (due >= SLICE || waiting >= MOST_WAITING) return { again: NEXT_LOOK_MS };
  const members = await queries.findNextMembers(tx, { after: mailing.reachedUserId, limit: SLICE });
  for (const member of members) await postEmail(deps, tx, { member, campaign, now });
  const isDone = members.length < SLICE;
  await queries.saveProgress(tx, {
    campaignId,
    reachedUserId: members.at(-1)?.id ?? mailing.reachedUserId,
    emailed: mailing.emailed + members.length,
    finishedAt: isDone ? now : null,
  });
  if (!isDone) return { again: 0 };
}

type Announced = {
  member: Awaited<ReturnType<typeof queries.findNextMembers>>[number];
  campaign: CampaignRow;
  now: Date;
};

async function postEmail(deps: MailingDeps, tx: Tx, { member, campaign, now }: Announced): Promise<void> {
  const { id, email, campaignEmail } = member;
  const unsubscribeCode = createUnsubscribeCode(deps, "campaignLink", id);
  const content = emails.campaignStarted(campaignEmail ?? email, { ...campaign, unsubscribeCode });
  const week = new Date(now.getTime() + LIFETIME_MS);
  const expiresAt = campaign.endsAt && campaign.endsAt < week ? campaign.endsAt : week;
  // `of` makes it findable by the member, even if they replace the address for campaign emails before it is sent.
  await deps.outbox.post(tx, { ...content, of: email }, expiresAt);
}
