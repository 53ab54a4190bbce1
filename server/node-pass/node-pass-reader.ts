import type { Address, Hex, PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { connect } from "../chain/rpc/station.ts";
import type { NodePass, NodePassMetadata, NodePassToken } from "./contract.ts";
import { fetchDescription, findSource, readDescription } from "./metadata.ts";
import { openPassContract, type PassContract } from "./pass-contract.ts";
import { createPatience, within } from "./patience.ts";
import { readHolder } from "./read-holder.ts";
import { readToken } from "./read-token.ts";
import { createShortCache } from "./short-cache.ts";

export type NodePassReader = ReturnType<typeof createNodePassReader>;

/** Times in milliseconds. */
export type PassTiming = {
  /** For one request, and how often it is tried again (product specification, section 9). */
  request: number;
  retries: number;
  /** What a page waits for all of it, and for one gateway: what comes later is there the next time. */
  patience: number;
  gatewayPatience: number;
  /** How long what was read is shown again, and a failure repeated. */
  fresh: number;
  failed: number;
};

const TIMING: PassTiming = {
  request: 10_000,
  retries: 3,
  patience: 3_000,
  gatewayPatience: 2_000,
  fresh: 30_000,
  failed: 10_000,
};

type Options = {
  rpcUrls: string[];
  address: Address;
  /** Signs golden tickets; without it there are none. */
  signerKey?: Hex | undefined;
  /** Origins that have the content network's files, in the order to try them. */
  gateways: readonly string[];
  now: () => Date;
  timing?: Partial<PassTiming>;
};

/** Reads a pass's contract on the identity network, and what its issuer says of each pass. */
export function createNodePassReader(options: Options) {
  const timing = { ...TIMING, ...options.timing };
  const { address, now, rpcUrls, signerKey } = options;
  const key = signerKey && privateKeyToAccount(signerKey);
  const { failed, fresh, patience } = timing;
  const wait = createPatience({ now, patience, failed });
  const holders = createShortCache<NodePass>({ now, fresh, failed, limit: 500 });
  const tokens = createShortCache<NodePassToken | null>({ now, fresh, failed, limit: 500 });
  const connectOnce = createConnection(rpcUrls, timing);
  const describe = createDescriber(options, timing);

  async function withContract<Result>(read: (contract: PassContract) => Promise<Result>): Promise<Result> {
    return read(openPassContract(await connectOnce(), address));
  }
  return {
    /** Everything of a wallet's passes. Rejects when the chain cannot be reached in time. */
    readHolder: (wallet: Address) =>
      wait(holders(wallet, () => withContract((contract) => readHolder(contract, { wallet, key, describe })))),
    /** One pass; null for one that is not there. Rejects as `readHolder` does. */
    readToken: (id: bigint) =>
      wait(tokens(id.toString(), () => withContract((contract) => readToken(contract, id, describe)))),
  };
}

/** Where most networks have it (https://www.multicall3.com). */
export const MULTICALL: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** A client that asks many things at once where the network has a contract for that; looked up once. */
function createConnection(rpcUrls: string[], { request, retries }: PassTiming): () => Promise<PublicClient> {
  const config = { timeout: request, retryCount: retries };
  let connected: Promise<PublicClient> | undefined;

  async function open() {
    const client = connect(rpcUrls, config);
    return (await client.getCode({ address: MULTICALL })) ? connect(rpcUrls, config, MULTICALL) : client;
  }
  return () => {
    connected ??= open().catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return connected;
  };
}

/** Content under such a path never changes: it is kept until it has to make room. */
const FOR_GOOD = 365 * 24 * 60 * 60 * 1000;

function createDescriber({ gateways, now }: Options, { failed, gatewayPatience }: PassTiming) {
  const texts = createShortCache<NodePassMetadata>({ now, fresh: FOR_GOOD, failed, limit: 1000 });

  return async function describe(uri: string | null): Promise<NodePassMetadata | null> {
    const source = findSource(uri);
    if (!source) return null;
    if ("json" in source) return readDescription(source.json);
    const { path } = source;
    const answer = texts(path, () => fetchDescription(gateways, path, gatewayPatience));
    // A pass is shown without its picture rather than not at all.
    return within(gatewayPatience, answer).catch(() => null);
  };
}
