import { createErasure } from "../account-data/erase.ts";
import { openAuthProvider } from "../auth/provider/open.ts";
import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import { createChainWork } from "../chain/worker.ts";
import { readSlowerClock } from "../db/clock.ts";
import type { Deps } from "../deps.ts";
import { HEARTBEATS } from "../heartbeats/monthly.ts";
import { pruneExpired } from "./housekeeping.ts";
import type { Again, JobKinds } from "../jobs/job.ts";
import { PRUNED_AT_ONCE } from "../jobs/prune.ts";
import type { Schedules } from "../jobs/schedule.ts";
import { startWorker } from "../jobs/worker.ts";
import { createDelivery, type Delivery } from "../mail/deliver.ts";
import { openTransport } from "../mail/open-transport.ts";
import { sumNetworkDays } from "../network/service.ts";
import { createWebhookDelivery } from "../webhooks/deliver.ts";
import { turnMonths } from "../months/old-months.ts";
import { LEDGER } from "../points/ledger/monthly.ts";
import { lookForSilence } from "../silence-mail/watch.ts";

const MINUTE = 60_000;

/** All that is queued. With a remote auth backend there is nothing to deliver: it has its own mail. */
export const describeKinds = (deps: Deps, provider: AuthProvider, delivery: Delivery): JobKinds => ({
  ...(!deps.env.authApiUrl && createDelivery(deps, delivery)),
  ...createWebhookDelivery(deps),
  ...createChainWork(deps.chain),
  ...createErasure(deps, provider),
});

/** All that is done again and again, by one of all processes. */
export const describeSchedules = (deps: Deps, provider: AuthProvider): Schedules => ({
  // Where another backend has the mail, there is nothing to look for.
  ...(!deps.env.authApiUrl && { "look-for-silence": { every: MINUTE, run: () => lookForSilence(deps) } }),
  "sum-network-days": { every: 5 * MINUTE, run: () => sumNetworkDays(deps) },
  "tidy-up": { every: 10 * MINUTE, run: () => tidyUp(deps, provider) },
});

/** Where more is over than goes at once, it goes on: or in a large network more would come than goes. */
async function tidyUp(deps: Deps, provider: AuthProvider): Promise<Again | void> {
  // Before the rows are gone that say what there is to end.
  await provider.release();
  const present = await readSlowerClock(deps);
  const prudent = { ...deps, now: () => present };
  const removed = await pruneExpired(prudent);
  deps.log.debug(removed, "removed what had expired");
  await turnMonths(prudent, HEARTBEATS, deps.env.heartbeatRetentionMonths);
  await turnMonths(prudent, LEDGER, deps.env.ledgerRetentionMonths);
  if (Object.values(removed).includes(PRUNED_AT_ONCE)) return { again: 0 };
}

/** `url`: where the product is reached when there is no PUBLIC_URL. `alone`: as the worker has it. */
type Options = { url: string; alone: boolean };

/** Does all of it for as long as the process runs. Returns its end, which waits for what is under way. */
export function startBackground(deps: Deps, { url, alone }: Options): () => Promise<void> {
  const transport = openTransport(deps);
  const provider = openAuthProvider(deps);
  const kinds = describeKinds(deps, provider, { transport, origin: deps.env.publicUrl ?? url });
  const stop = startWorker(deps, { kinds, schedules: describeSchedules(deps, provider), alone });
  return async () => {
    await stop();
    transport.close();
  };
}
