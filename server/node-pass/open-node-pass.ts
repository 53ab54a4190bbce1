import { getAddress, isAddress, isHex } from "viem";
import { IPFS_GATEWAYS } from "../content/contract.ts";
import type { Deps } from "../deps.ts";
import { createNodePassReader, type NodePassReader } from "./node-pass-reader.ts";

/** Opens the node pass if one is configured. */
export function openNodePass({ env, now }: Pick<Deps, "env" | "now">): NodePassReader | undefined {
  const { chainRpcUrls, nodePassAddress, nodePassSignerKey } = env;
  if (!nodePassAddress || !chainRpcUrls || !isAddress(nodePassAddress, { strict: false })) return undefined;
  const signerKey = nodePassSignerKey && nodePassSignerKey.replace(/^(?!0x)/, "0x");
  return createNodePassReader({
    rpcUrls: chainRpcUrls,
    address: getAddress(nodePassAddress),
    signerKey: isHex(signerKey) ? signerKey : undefined,
    gateways: ANSWERING.map(({ origin }) => origin),
    now,
  });
}

/** The gateways that answer a path themselves. Others redirect, which this server never follows. */
const ANSWERING = IPFS_GATEWAYS.filter((gateway) => !("leadsTo" in gateway));
