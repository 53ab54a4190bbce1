import { isAddressEqual, isHash, type Address, type PublicClient } from "viem";
import { getEip712Domain } from "viem/actions";
import type { Deps } from "../../deps.ts";
import type { ChainGateway } from "../chain-gateway.ts";
import { verifyConsent } from "../consent.ts";
import { IDENTITY_CHAIN_ID, IDENTITY_PRECOMPILE, type Domain } from "../contract.ts";
import type { Domains } from "../typed-data.ts";
import { advanceJob } from "./advance.ts";
import { createBoot, unavailable, type Boot } from "./boot.ts";
import { fillNonce } from "./fill-nonce.ts";
import { createCachedBalances } from "./cached-balances.ts";
import { readRecord } from "./read-record.ts";
import { createRequestError } from "./rpc-errors.ts";
import { explorerUrlOf, openStation, TIMING, type Station, type StationSettings, type Timing } from "./station.ts";

type RpcOptions = Pick<Deps, "db" | "log" | "now"> & StationSettings & { timing?: Partial<Timing> };

/** Creates a gateway to the identity network, through the RPC of its nodes. */
export function createRpcChain({ db, log, now, timing, ...settings }: RpcOptions): ChainGateway {
  const station = openStation(settings, { ...TIMING, ...timing });
  const boot = createBoot(station, { log, now });
  const describeDomains = createDomains(boot);
  const { memberClient } = station;
  return {
    mode: "rpc",
    describeDomains: () => describeDomains(station),
    verifyConsent: async (consent) => verifyConsent(await describeDomains(station), consent),
    readIdentity: (machine, name) =>
      orUnavailable(readRecord(memberClient, { target: IDENTITY_PRECOMPILE, machine, name })),
    hasCode: async (address) => isContract(await orUnavailable(memberClient.getCode({ address }))),
    attest: (message) => station.admin.signMessage({ message }),
    station: { admin: station.admin.address, factory: station.factory },
    // A job that the embedded ledger did has no transaction there.
    explorerUrl: (hash) => (isHash(hash) ? explorerUrlOf(hash) : null),
    isReady: () => boot.isReady(),
    balances: createCachedBalances(station, { log, now }),
    async work(lease) {
      const turn = station.beginTurn();
      const domains = await describeDomains(turn);
      return advanceJob({ db, log, now, station: turn, factory: await boot.factory(), domains, lease }, lease.key);
    },
    fill: ({ key }) =>
      fillNonce({ db, log, station: station.beginTurn() }, key).catch((error: unknown) => {
        throw createRequestError("fill-nonce", error);
      }),
    check: () => boot.status(),
  };
}

/** An account that delegates to a contract (EIP-7702) still signs with its key. Some nodes return null for no code. */
const isContract = (code: string | null = "0x") =>
  code !== null && code !== "0x" && !/^0xef0100[0-9a-f]{40}$/i.test(code);

/**
 * Creates a reader of the domains. All accounts of a factory have domains of the same name and version, so these are
 * read once, from the first one.
 */
function createDomains(boot: Boot): (station: Station) => Promise<Domains> {
  let known: Pick<Domain, "name" | "version"> | undefined;

  async function account({ memberClient }: Station, machine: Address): Promise<Domain> {
    known ??= await orUnavailable(readAccountDomain(memberClient, machine));
    return { ...known, chainId: IDENTITY_CHAIN_ID, verifyingContract: machine };
  }
  return async (station) => ({
    factory: (await boot.factory()).domain,
    account: (machine) => account(station, machine),
  });
}

/** Throws unless a node reports what an account's domain must be, because nobody could use a record signed for another. */
async function readAccountDomain(client: PublicClient, address: Address) {
  const { chainId, name, verifyingContract, version } = (await getEip712Domain(client, { address })).domain;
  const isAccounts = name === "MachineSmartAccount" && (version === "1" || version === "2");
  if (!isAccounts || chainId !== IDENTITY_CHAIN_ID || !isAddressEqual(verifyingContract, address))
    throw new Error("what was given is not the domain of an account");
  return { name, version };
}

function orUnavailable<Result>(answer: Promise<Result>): Promise<Result> {
  return answer.catch((error: unknown) => {
    throw unavailable(error);
  });
}
