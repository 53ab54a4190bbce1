import { eraseDueAccounts } from "./account-data/erase.ts";
import { openAuthProvider } from "./auth/provider/open.ts";
import { pruneSpentTokens } from "./bot-check/embedded.ts";
import { pruneRequests } from "./auth/requests.ts";
import { pruneCampaignEmails } from "./campaign-mail/service.ts";
import type { Deps } from "./deps.ts";
import { pruneRefusedBeats } from "./heartbeats/refused-beats.ts";
import { pruneMail } from "./mail/deliver.ts";
import { pruneLimits } from "./rate-limits/rate-limiter.ts";
import { pruneEvents } from "./security-activity/service.ts";
import { pruneSessions } from "./sessions/service.ts";
import { pruneWalletNonces } from "./wallet/service.ts";

const INTERVAL_MS = 10 * 60 * 1000;

/** Removes what has expired, a bounded number of rows at a time, for as long as the process runs. Returns its end. */
export function keepHouse(deps: Deps): () => void {
  const timer = setInterval(() => {
    tidyUp(deps).then(
      (removed) => deps.log.debug(removed, "removed what had expired"),
      (error) => deps.log.warn({ err: error }, "what has expired could not be removed"),
    );
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function tidyUp(deps: Deps) {
  const provider = openAuthProvider(deps);
  // Before the rows are gone that say what there is to end.
  await provider.release();
  return { ...(await pruneExpired(deps)), accounts: await eraseDueAccounts(deps, provider) };
}

/** Removes a bounded number of rows of each kind whose time is over; returns how many. */
export async function pruneExpired(deps: Pick<Deps, "db" | "now">) {
  return {
    ...(await pruneSessions(deps)),
    ...(await pruneRequests(deps)),
    botChecks: await pruneSpentTokens(deps),
    limits: await pruneLimits(deps),
    events: await pruneEvents(deps),
    campaignEmails: await pruneCampaignEmails(deps),
    refusedBeats: await pruneRefusedBeats(deps),
    mail: await pruneMail(deps),
    walletNonces: await pruneWalletNonces(deps),
  };
}
