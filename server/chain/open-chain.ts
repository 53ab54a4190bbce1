import { getAddress, isAddress, isHex, type Address, type Hex } from "viem";
import type { Deps } from "../deps.ts";
import type { ChainGateway } from "./chain-gateway.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { createEmbeddedChain } from "./embedded/embedded-chain.ts";
import { createRpcChain } from "./rpc/rpc-chain.ts";

type OpenChain = Pick<Deps, "db" | "env" | "log" | "now"> & { secrets: Secrets };

/** The chain that is configured, or the ledger that needs no configuration. */
export function openChain({ db, env, log, now, secrets }: OpenChain): ChainGateway {
  const { chainAdminKey, chainFactoryAddress, chainManagerKey, chainRpcUrls } = env;
  if (!chainAdminKey || !chainFactoryAddress || !chainManagerKey || !chainRpcUrls) {
    return createEmbeddedChain({ db, log, now, secrets });
  }
  return createRpcChain({
    db,
    log,
    now,
    rpcUrls: chainRpcUrls,
    factory: toAddress(chainFactoryAddress),
    adminKey: toKey(chainAdminKey),
    managerKey: toKey(chainManagerKey),
  });
}

function toAddress(text: string): Address {
  if (!isAddress(text, { strict: false })) throw new Error("CHAIN_FACTORY_ADDRESS is no address");
  return getAddress(text);
}

function toKey(text: string): Hex {
  const key = text.startsWith("0x") ? text : `0x${text}`;
  if (!isHex(key)) throw new Error("A key of the chain is not hexadecimal");
  return key;
}
