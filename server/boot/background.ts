import { createErasure } from "../account-data/erase.ts";
import { openAuthProvider } from "../auth/provider/open.ts";
import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import { createCampaignMailing } from "../campaign-mail/mailing.ts";
import { createChainWork } from "../chain/worker.ts";
import { readSlowerClock } from "../db/clock.ts";
import { inspectDatabase } from "../db/inspect.ts";
import type { Deps } from "../deps.ts";
import { HEARTBEATS } from "../heartbeats/monthly.ts";
import { pruneExpired } from "./housekeeping.ts";
import type { Again, JobKinds } from "../jobs/job.ts";
import { PRUNE_BATCH_SIZE } from "../jobs/prune.ts";
import type { Schedules } from "../jobs/schedule.ts";
import { startWorker } from "../jobs/worker.ts";
import { createDelivery, type Delivery } from "../mail/deliver.ts";
import { openTransport } from "../mail/open-transport.ts";
import { sumNetworkDays } from "../network/service.ts";
import { createWebhookDelivery } from "../webhooks/deliver.ts";
import { findIdleRetentions } from "../months/idle-retention.ts";
import { rotateMonths } from "../months/old-months.ts";
import { LEDGER } from "../points/ledger/monthly.ts";
import { checkForSilence } from "../silence-mail/watch.ts";

const MINUTE = 60_000;

/** All kinds of queued jobs. With a remote auth backend there is no mail to write or deliver: it sends its own. */
export const describeKinds = (deps: Deps, provider: AuthProvider, delivery: Delivery): JobKinds => ({
  ...(!deps.env.authApiUrl && { ...createDelivery(deps, delivery), ...createCampaignMailing(deps) }),
  ...createWebhookDelivery(deps),
  ...createChainWork(deps.chain),
  ...createErasure(deps, provider),
});

/** All recurring jobs. Each runs in only one of the processes. */
export const describeSchedules = (deps: Deps, provider: AuthProvider): Schedules => ({
  // If another backend has the mail, there is nothing to look for.
  ...(!deps.env.authApiUrl && { "look-for-silence": { every: MINUTE, run: () => checkForSilence(deps) } }),
  "sum-network-days": { every: 5 * MINUTE, run: () => sumNetworkDays(deps) },
  "tidy-up": { every: 10 * MINUTE, run: () => tidyUp(deps, provider) },
});

/**
 * Removes what has expired. Goes on at once if there is more: a large network would produce more than one run removes.
 */
async function tidyUp(deps: Deps, provider: AuthProvider): Promise<Again | void> {
  // Do this first, while the rows still exist that say which sessions to end at the provider.
  await provider.release();
  const present = await readSlowerClock(deps);
  const prudent = { ...deps, now: () => present };
  const removed = await pruneExpired(prudent);
  deps.log.debug(removed, "removed what had expired");
  await rotateMonths(prudent, HEARTBEATS, deps.env.heartbeatRetentionMonths);
  await rotateMonths(prudent, LEDGER, deps.env.ledgerRetentionMonths);
  if (Object.values(removed).includes(PRUNE_BATCH_SIZE)) return { again: 0 };
}

/** Warns of what would otherwise only show when the disk is full, or when rows are there that were to be removed. */
async function warnOfIdleRetentions({ db, env, log }: Deps): Promise<void> {
  try {
    const settings = findIdleRetentions(env, (await inspectDatabase(db)).undivided);
    if (settings.length > 0)
      log.warn({ settings }, "these have no effect until their tables are divided (npm run ops -- database partition)");
  } catch (err) {
    log.debug({ err }, "the database could not be looked at");
  }
}

/**
 * `url`: the address of the product if there is no PUBLIC_URL. `alone`: whether no other process works on the database.
 */
type Options = { url: string; alone: boolean };

/** Runs all background work while the process runs. Returns a function that stops it, and waits for work under way. */
export function startBackground(deps: Deps, { url, alone }: Options): () => Promise<void> {
  const transport = openTransport(deps);
  const provider = openAuthProvider(deps);
  const kinds = describeKinds(deps, provider, { transport, origin: deps.env.publicUrl ?? url });
  const warned = warnOfIdleRetentions(deps);
  const stop = startWorker(deps, { kinds, schedules: describeSchedules(deps, provider), alone });
  return async () => {
    await warned;
    await stop();
    transport.close();
  };
}
