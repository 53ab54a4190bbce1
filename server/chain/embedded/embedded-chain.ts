import { bytesToHex, hexToBytes, type Address, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Deps } from "../../deps.ts";
import { deriveKeys, type Secrets } from "../../secrets/secrets.ts";
import type { ChainGateway } from "../chain-gateway.ts";
import { verifyConsent } from "../consent.ts";
import { IDENTITY_CHAIN_ID } from "../contract.ts";
import type { Domains } from "../typed-data.ts";
import { findAttribute } from "./ledger.queries.ts";
import { workOnLedger } from "./ledger.ts";

/** The address of a factory that is on no chain. Nobody derived it from a key or a contract. */
const FACTORY: Address = "0x6e6f6465626561742d656d6265646465642d3031";

const DOMAINS: Domains = {
  factory: { name: "MachineStationFactory", version: "1", chainId: IDENTITY_CHAIN_ID, verifyingContract: FACTORY },
  account: async (machine) => ({
    name: "MachineSmartAccount",
    version: "1",
    chainId: IDENTITY_CHAIN_ID,
    verifyingContract: machine,
  }),
};

type EmbeddedOptions = Pick<Deps, "db" | "log" | "now"> & {
  /** The station's key is derived from the first one. */
  secrets: Secrets;
};

/**
 * Creates a ledger in the database instead of a chain. It checks signatures and uses up nonces as the contracts do. It
 * never pretends to be on a network.
 */
export function createEmbeddedChain(options: EmbeddedOptions): ChainGateway {
  const { db } = options;
  const station = privateKeyToAccount(deriveStationKey(options.secrets));
  return {
    mode: "embedded",
    describeDomains: async () => DOMAINS,
    verifyConsent: (consent) => verifyConsent(DOMAINS, consent),
    async readIdentity(machine, name) {
      const found = await findAttribute(db, { account: machine, name: Buffer.from(hexToBytes(name)) });
      return found && { name, value: bytesToHex(found.value) };
    },
    hasCode: async () => false,
    attest: (message) => station.signMessage({ message }),
    station: { admin: station.address, factory: DOMAINS.factory.verifyingContract },
    explorerUrl: () => null,
    isReady: () => true,
    balances: () => [],
    work: (lease) => workOnLedger(options, DOMAINS, lease),
    // Nonces are the network's, where other transactions wait behind them. Here there are none to use up.
    async fill() {
      throw new Error("a nonce was given out on the network, and the CHAIN_ settings are missing");
    },
    check: async () => ({ ok: true }),
  };
}

function deriveStationKey(secrets: Secrets): Hex {
  const [key] = deriveKeys(secrets, "embedded station");
  return bytesToHex(key.export());
}
