import { pruneExpired } from "./auth/service.ts";
import type { Deps } from "./deps.ts";
import { pruneMail } from "./mail/deliver.ts";

const INTERVAL_MS = 10 * 60 * 1000;

/** Removes what has expired, a bounded number of rows at a time, for as long as the process runs. Returns its end. */
export function keepHouse(deps: Deps): () => void {
  const timer = setInterval(() => {
    prune(deps).then(
      (removed) => deps.log.debug(removed, "removed what had expired"),
      (error) => deps.log.warn({ err: error }, "what has expired could not be removed"),
    );
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const prune = async (deps: Deps) => ({ ...(await pruneExpired(deps)), mail: await pruneMail(deps) });
