import type { JobKind } from "../jobs/job.ts";
import type { ChainGateway } from "./chain-gateway.ts";
import { FILL_NONCE } from "./left-nonces.ts";
import { CHAIN } from "./submit.ts";

/**
 * How long a lease lasts, in milliseconds. It must be longer than a turn (station.ts), or nobody could save the result.
 */
const LEASE = 60_000;

/** Processes chain jobs. A job that outlives its lease may run twice; its nonces make that harmless. */
export function createChainWork(
  chain: Pick<ChainGateway, "fill" | "isReady" | "work">,
): Record<typeof CHAIN | typeof FILL_NONCE, JobKind> {
  const common = { isReady: chain.isReady, lease: LEASE, backOff: { first: 1_000, longest: 30_000 } };
  return {
    [CHAIN]: { ...common, atOnce: 20, run: chain.work },
    [FILL_NONCE]: { ...common, atOnce: 2, run: chain.fill },
  };
}
