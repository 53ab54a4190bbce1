import { getAddress, isAddress, isHex, type Address, type Hex } from "viem";
import type { Deps } from "../deps.ts";
import type { ChainGateway } from "./chain-gateway.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { createEmbeddedChain } from "./embedded/embedded-chain.ts";
import type { StationSettings } from "./rpc/station.ts";
import { createRpcChain } from "./rpc/rpc-chain.ts";

type OpenChain = Pick<Deps, "db" | "env" | "log" | "now"> & { secrets: Secrets };

/** Opens the configured chain, or the embedded ledger, which needs no configuration. */
export function openChain({ db, env, log, now, secrets }: OpenChain): ChainGateway {
  const station = configuredStation(env);
  return station ? createRpcChain({ db, log, now, ...station }) : createEmbeddedChain({ db, log, now, secrets });
}

/** Returns the settings for work on a chain, or undefined unless all of them are set. */
export function configuredStation(env: Deps["env"]): StationSettings | undefined {
  const { chainAdminKey, chainFactoryAddress, chainManagerKey, chainRpcUrls } = env;
  if (!chainAdminKey || !chainFactoryAddress || !chainManagerKey || !chainRpcUrls) return undefined;
  return {
    rpcUrls: chainRpcUrls,
    factory: toAddress(chainFactoryAddress),
    adminKey: toKey(chainAdminKey),
    managerKey: toKey(chainManagerKey),
  };
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
