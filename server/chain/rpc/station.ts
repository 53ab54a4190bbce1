import { createPublicClient, defineChain, fallback, http, type Address, type Hex, type PublicClient } from "viem";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { IDENTITY_CHAIN_ID } from "../contract.ts";

export type StationSettings = {
  /** In the order to try them. */
  rpcUrls: string[];
  factory: Address;
  /** Signs what the factory shall do. */
  adminKey: Hex;
  /** Sends it, and pays. */
  managerKey: Hex;
};

/** Times in milliseconds. */
export type Timing = {
  /** For one request at one address, and how often it is tried again there. */
  requestLimit: number;
  requestRetries: number;
  /** The same where a member waits for the answer. */
  memberLimit: number;
  memberRetries: number;
  /** Between looks at what is under way. */
  poll: number;
  /** What is not mined for this long is replaced. */
  stuck: number;
  /** Between attempts to reach the chain at the start. */
  retryStart: number;
};

export const TIMING: Timing = {
  requestLimit: 5_000,
  // The next address is asked, or the queue tries again.
  requestRetries: 0,
  memberLimit: 5_000,
  memberRetries: 1,
  poll: 1_000,
  stuck: 30_000,
  retryStart: 5_000,
};

/** The factory as we use it: two clients of the same chain, and the keys that act there. */
export type Station = {
  factory: Address;
  admin: PrivateKeyAccount;
  manager: PrivateKeyAccount;
  /** For the work that nobody waits for. */
  client: PublicClient;
  /** For a member who waits. */
  memberClient: PublicClient;
  /** One client for each address, to check each. */
  clients: PublicClient[];
  timing: Timing;
};

export function openStation(settings: StationSettings, timing: Timing): Station {
  const { adminKey, factory, managerKey, rpcUrls } = settings;
  const patient = { timeout: timing.requestLimit, retryCount: timing.requestRetries };
  const quick = { timeout: timing.memberLimit, retryCount: timing.memberRetries };
  return {
    factory,
    admin: privateKeyToAccount(adminKey),
    manager: privateKeyToAccount(managerKey),
    client: connect(rpcUrls, patient),
    memberClient: connect(rpcUrls, quick),
    clients: rpcUrls.map((url) => connect([url], quick)),
    timing,
  };
}

/** Times in milliseconds. With the address of a Multicall3 contract, what is asked together is sent together. */
export function connect(
  urls: string[],
  config: { timeout: number; retryCount: number },
  multicall?: Address,
): PublicClient {
  return createPublicClient({
    chain: defineChain({
      ...IDENTITY_CHAIN,
      rpcUrls: { default: { http: urls } },
      ...(multicall && { contracts: { multicall3: { address: multicall } } }),
    }),
    ...(multicall && { batch: { multicall: { batchSize: 8192 } } }),
    transport: fallback(
      urls.map((url) => http(url, { ...config, fetchFn: askFor(config.timeout) })),
      // Each address has tried again by itself.
      { retryCount: 0 },
    ),
    // What block is the latest is asked each time.
    cacheTime: 0,
  });
}

/**
 * viem's time limit ends with the headers of an answer, and it obeys any Retry-After, even one of a day. Here the limit
 * holds for the whole answer, and Retry-After is hidden from it, so that it goes by its own delays.
 */
const askFor =
  (milliseconds: number): typeof fetch =>
  async (input, { signal, ...init } = {}) => {
    const limits = [AbortSignal.timeout(milliseconds), ...(signal ? [signal] : [])];
    // An address that leads elsewhere is none that the operator has chosen.
    const answer = await fetch(input, { ...init, redirect: "error", signal: AbortSignal.any(limits) });
    const { body, status, statusText } = answer;
    const headers = new Headers(answer.headers);
    headers.delete("Retry-After");
    return new Response(body, { status, statusText, headers });
  };

const IDENTITY_CHAIN = {
  id: IDENTITY_CHAIN_ID,
  name: "peaq",
  nativeCurrency: { name: "peaq", symbol: "PEAQ", decimals: 18 },
};

const EXPLORER = "https://peaq.subscan.io";
export const explorerUrlOf = (hash: string) => `${EXPLORER}/tx/${hash}`;
