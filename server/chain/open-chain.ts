import type { Deps } from "../deps.ts";
import type { ChainGateway } from "./chain-gateway.ts";
import { createEmbeddedChain } from "./embedded/embedded-chain.ts";

type OpenChain = Pick<Deps, "db" | "env" | "log" | "now"> & { secret: string };

/** The chain that is configured, or the ledger that needs no configuration. */
export function openChain({ db, log, now, secret }: OpenChain): ChainGateway {
  return createEmbeddedChain({ db, log, now, secret });
}
