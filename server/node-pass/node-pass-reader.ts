import type { Address, Hex, PublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { connect } from "../chain/rpc/station.ts";
import type { NodePass, NodePassMetadata, NodePassToken } from "./contract.ts";
import { fetchDescription, findSource, readDescription } from "./metadata.ts";
import { openPassContract, type PassContract } from "./pass-contract.ts";
import { createAdaptiveTimeout, withTimeout } from "./adaptive-timeout.ts";
import { readHolder } from "./read-holder.ts";
import { readToken } from "./read-token.ts";
import { createShortCache } from "./short-cache.ts";

export type NodePassReader = ReturnType<typeof createNodePassReader>;

/** Times are in milliseconds. */
export type PassTiming = {
  /** How long one request may take, and how often it is retried (product specification, section 9). */
  request: number;
  retries: number;
  /** How long a page waits for everything, and for one gateway. Whatever arrives later is shown the next time. */
  timeout: number;
  gatewayTimeout: number;
  /** How long to reuse what was read, and how long to repeat a failure. */
  fresh: number;
  failed: number;
};

const TIMING: PassTiming = {
  request: 10_000,
  retries: 3,
  timeout: 3_000,
  gatewayTimeout: 2_000,
  fresh: 30_000,
  failed: 10_000,
};

type Options = {
  rpcUrls: string[];
  address: Address;
  /** Signs golden tickets. Without it there are none. */
  signerKey?: Hex | undefined;
  /** Origins that have the content network's files, in the order to try them. */
  gateways: readonly string[];
  now: () => Date;
  timing?: Partial<PassTiming>;
};

/** Creates a reader of a pass's contract on the identity network, and of what its issuer says about each pass. */
export function createNodePassReader(options: Options) {
  const timing = { ...TIMING, ...options.timing };
  const { address, now, rpcUrls, signerKey } = options;
  const key = signerKey && privateKeyToAccount(signerKey);
  const { failed, fresh, timeout } = timing;
  const wait = createAdaptiveTimeout({ now, timeout, failed });
  const holders = createShortCache<NodePass>({ now, fresh, failed, limit: 500 });
  const tokens = createShortCache<NodePassToken | null>({ now, fresh, failed, limit: 500 });
  const connectOnce = createConnection(rpcUrls, timing);
  const describe = createDescriber(options, timing);

  async function withContract<Result>(read: (contract: PassContract) => Promise<Result>): Promise<Result> {
    return read(openPassContract(await connectOnce(), address));
  }
  return {
    /** Returns everything about a wallet's passes. Rejects if the chain cannot be reached in time. */
    readHolder: (wallet: Address) =>
      wait(holders(wallet, () => withContract((contract) => readHolder(contract, { wallet, key, describe })))),
    /** Returns one pass, or null if it does not exist. Rejects like `readHolder`. */
    readToken: (id: bigint) =>
      wait(tokens(id.toString(), () => withContract((contract) => readToken(contract, id, describe)))),
  };
}

/** The contract's address on most networks (https://www.multicall3.com). */
export const MULTICALL: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Connects with a client that batches calls if the network has a contract for that. Checks that once. */
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

/** How long to keep what never changes under its path, in milliseconds. It only goes to make room. */
const FOR_GOOD = 365 * 24 * 60 * 60 * 1000;

function createDescriber({ gateways, now }: Options, { failed, gatewayTimeout }: PassTiming) {
  const texts = createShortCache<NodePassMetadata>({ now, fresh: FOR_GOOD, failed, limit: 1000 });

  return async function describe(uri: string | null): Promise<NodePassMetadata | null> {
    const source = findSource(uri);
    if (!source) return null;
    if ("json" in source) return readDescription(source.json);
    const { path } = source;
    const answer = texts(path, () => fetchDescription(gateways, path, gatewayTimeout));
    // Better to show a pass without its picture than not at all.
    return withTimeout(gatewayTimeout, answer).catch(() => null);
  };
}
