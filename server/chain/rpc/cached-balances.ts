import { formatEther } from "viem";
import type { Logger } from "../../log/log.ts";
import type { Balance } from "../chain-gateway.ts";
import { summarize } from "./rpc-errors.ts";
import type { Station } from "./station.ts";

/** How often to read the balances at most, in milliseconds. */
const CHECK_INTERVAL_MS = 60_000;

/**
 * Returns a function that lists who pays on the chain and what they have left. It returns what is known, and has that
 * refreshed from time to time.
 */
export function createCachedBalances(station: Station, { log, now }: { log: Logger; now: () => Date }) {
  let known: Balance[] = [];
  let refreshedAt = -Infinity;

  async function refresh() {
    const { client, factory, manager } = station;
    const accounts = { manager: manager.address, factory };
    known = await Promise.all(
      Object.entries(accounts).map(async ([account, address]) => ({
        account,
        balance: Number(formatEther(await client.getBalance({ address }))),
      })),
    );
  }

  return (): Balance[] => {
    const at = now().getTime();
    // The clock may have been set back since then.
    if (Math.abs(at - refreshedAt) >= CHECK_INTERVAL_MS) {
      refreshedAt = at;
      refresh().catch((error: unknown) => log.debug({ err: summarize(error) }, "the balances could not be read"));
    }
    return known;
  };
}
