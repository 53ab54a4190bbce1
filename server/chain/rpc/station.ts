import { createPublicClient, defineChain, fallback, http, type Address, type Hex, type PublicClient } from "viem";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { IDENTITY_CHAIN_ID } from "../contract.ts";

export type StationSettings = {
  /** The nodes' addresses, in the order to try them. */
  rpcUrls: string[];
  factory: Address;
  /** Signs what the factory is to do. */
  adminKey: Hex;
  /** Sends that, and pays for it. */
  managerKey: Hex;
};

/** Times are in milliseconds. */
export type Timing = {
  /** How long one request to one address may take, and how often it is retried there. */
  requestLimit: number;
  requestRetries: number;
  /** The same for requests that a member waits for. */
  memberLimit: number;
  memberRetries: number;
  /** How long a turn of a job may take in requests. Must be shorter than the job's lease (worker.ts). */
  turn: number;
  /** How long to wait between looks at work under way. */
  poll: number;
  /** How long a transaction may wait before it is replaced. */
  stuck: number;
  /** How long to wait between attempts to reach the chain at the start. */
  retryStart: number;
};

export const TIMING: Timing = {
  requestLimit: 5_000,
  // No retries: the next address is asked, or the queue tries again.
  requestRetries: 0,
  memberLimit: 5_000,
  memberRetries: 1,
  turn: 45_000,
  poll: 1_000,
  stuck: 30_000,
  retryStart: 5_000,
};

/** The factory as we use it: clients of the same chain, and the keys that act there. */
export type Station = {
  factory: Address;
  admin: PrivateKeyAccount;
  manager: PrivateKeyAccount;
  /** For work that nobody waits for. */
  client: PublicClient;
  /** For requests that a member waits for. */
  memberClient: PublicClient;
  /** One client for each address, to check each of them. */
  clients: PublicClient[];
  /** Returns the station for one turn of a job: its requests fail once the turn is over, however many nodes hang. */
  beginTurn: () => Station;
  timing: Timing;
};

export function openStation(settings: StationSettings, timing: Timing): Station {
  const { adminKey, factory, managerKey, rpcUrls } = settings;
  const patient = { timeout: timing.requestLimit, retryCount: timing.requestRetries };
  const quick = { timeout: timing.memberLimit, retryCount: timing.memberRetries };
  const station: Station = {
    factory,
    admin: privateKeyToAccount(adminKey),
    manager: privateKeyToAccount(managerKey),
    client: connect(rpcUrls, patient),
    memberClient: connect(rpcUrls, quick),
    clients: rpcUrls.map((url) => connect([url], quick)),
    beginTurn() {
      const client = connect(rpcUrls, { ...patient, signal: AbortSignal.timeout(timing.turn) });
      return { ...station, client, memberClient: client };
    },
    timing,
  };
  return station;
}

type Connection = { timeout: number; retryCount: number; signal?: AbortSignal };

/** Connects to nodes. Times are in milliseconds. With a Multicall3 contract's address, batches simultaneous reads. */
export function connect(urls: string[], config: Connection, multicall?: Address): PublicClient {
  const { retryCount, signal, timeout } = config;
  return createPublicClient({
    chain: defineChain({
      ...IDENTITY_CHAIN,
      rpcUrls: { default: { http: urls } },
      ...(multicall && { contracts: { multicall3: { address: multicall } } }),
    }),
    ...(multicall && { batch: { multicall: { batchSize: 8192 } } }),
    transport: fallback(
      urls.map((url) => http(url, { timeout, retryCount, fetchFn: limitFetch(timeout, signal) })),
      // Each address has already done its own retries.
      { retryCount: 0 },
    ),
    // Ask for the latest block every time.
    cacheTime: 0,
  });
}

/**
 * Limits the time of a whole response, also by that of the `whole` turn. viem's own limit ends with the headers, and
 * viem obeys any Retry-After, even one of a day. So Retry-After is hidden from it, and it uses its own delays.
 */
const limitFetch =
  (milliseconds: number, whole?: AbortSignal): typeof fetch =>
  async (input, { signal, ...init } = {}) => {
    const limits = [AbortSignal.timeout(milliseconds), whole, signal].filter((limit) => limit instanceof AbortSignal);
    // A redirect would lead to an address that the operator has not chosen.
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
