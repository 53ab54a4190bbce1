import type { JobKind } from "../jobs/job.ts";
import type { ChainGateway } from "./chain-gateway.ts";
import { FILL_NONCE } from "./left-nonces.ts";
import { CHAIN } from "./submit.ts";

/**
 * Milliseconds: longer than a turn waits for a node that does not answer, or nobody could write down what came of it.
 */
const LEASE = 60_000;

/**
 * Takes what is wanted of the chain further. One that takes longer than its lease is done twice, which its nonces make
 * harmless.
 */
export function createChainWork(
  chain: Pick<ChainGateway, "fill" | "isReady" | "work">,
): Record<typeof CHAIN | typeof FILL_NONCE, JobKind> {
  const common = { isReady: chain.isReady, lease: LEASE, backOff: { first: 1_000, longest: 30_000 } };
  return {
    [CHAIN]: { ...common, atOnce: 20, run: chain.work },
    [FILL_NONCE]: { ...common, atOnce: 2, run: chain.fill },
  };
}
