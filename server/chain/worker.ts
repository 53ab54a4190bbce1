import type { JobKind } from "../jobs/job.ts";
import type { ChainGateway } from "./chain-gateway.ts";
import { CHAIN } from "./submit.ts";

/**
 * Takes what is wanted of the chain further. One that takes longer than its lease is done twice, which its nonces make
 * harmless.
 */
export const createChainWork = (chain: Pick<ChainGateway, "isReady" | "work">): Record<typeof CHAIN, JobKind> => ({
  [CHAIN]: {
    atOnce: 20,
    isReady: chain.isReady,
    lease: 15_000,
    backOff: { first: 1_000, longest: 30_000 },
    run: chain.work,
  },
});
