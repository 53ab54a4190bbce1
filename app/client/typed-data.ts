import { concat, getAddress, isAddress, isAddressEqual, padHex, toFunctionSelector, type Address } from "viem";
import * as z from "zod";
import {
  describeDeploy,
  describeExecute,
  IDENTITY_CHAIN_ID,
  IDENTITY_PRECOMPILE,
} from "../../server/chain/contract.ts";
import type { DeployTypedData, ExecuteTypedData } from "../../server/machine-id/contract.ts";

/* Writes what the owner signs on the identity network, for backends that do not provide it complete. */

/** The contracts of the identity network, from this installation's settings. */
export type IdentityContracts = {
  factory?: string | undefined;
  /** The version in the domains. Deployments of the contracts differ in it. */
  version: string;
};

/** What the network's own contracts call themselves in what they have signed. */
const FACTORY_NAME = "MachineStationFactory";
const ACCOUNT_NAME = "MachineSmartAccount";

const domainOf = (name: string, version: string, verifyingContract: Address) => ({
  name,
  version,
  chainId: IDENTITY_CHAIN_ID,
  verifyingContract,
});

/**
 * A contract's address in any letter case. Unless it is all lower case, it gets the case of its checksum: nothing would
 * be signed for any other spelling.
 */
export const ContractAddress = z
  .custom<Address>((value) => typeof value === "string" && isAddress(value, { strict: false }))
  .transform((address) => (address === address.toLowerCase() ? address : getAddress(address)));

/**
 * Writes the consent to a Smart Account, with the current time in milliseconds as its nonce (product specification,
 * section 7).
 */
export const writeDeploy = (factory: Address, version: string, machineOwner: string): DeployTypedData =>
  describeDeploy(domainOf(FACTORY_NAME, version, factory), {
    machineOwner: machineOwner.toLowerCase(),
    nonce: String(Date.now()),
  });

/** A text or a number, because the specification does not say which. */
const Nonce = z.union([z.string(), z.number()]).transform(String);

/** The request for a Machine ID. */
export const IdentityRequest = z.object({
  machineAddress: ContractAddress,
  target: ContractAddress,
  calldata: z.string(),
  nonce: Nonce,
});
type IdentityRequest = z.output<typeof IdentityRequest>;

/** Writes the order to the member's own account that creates the Machine ID. */
export const writeExecute = (
  { machineAddress, target, calldata, nonce }: IdentityRequest,
  version: string,
): ExecuteTypedData =>
  describeExecute(domainOf(ACCOUNT_NAME, version, machineAddress), { target, data: calldata, nonce });

/** Only the identity network: a signature for another network may give away everything that a wallet has there. */
const IdentityDomain = z.object({
  version: z.string(),
  chainId: z.literal(IDENTITY_CHAIN_ID),
  verifyingContract: ContractAddress,
});

const Deploy = z.object({
  domain: IdentityDomain.extend({ name: z.literal(FACTORY_NAME) }),
  primaryType: z.literal("DeployMachineSmartAccount"),
  message: z.object({ machineOwner: ContractAddress, nonce: Nonce }),
});

const Execute = z.object({
  domain: IdentityDomain.extend({ name: z.literal(ACCOUNT_NAME) }),
  primaryType: z.literal("Execute"),
  message: z.object({ target: ContractAddress, data: z.string(), nonce: Nonce }),
});

/**
 * Reads the consent that a backend provides complete, in our own description of it. Returns undefined for anything
 * else, and for another factory than the one in our settings, if they name one.
 */
export function readDeploy(given: unknown, { factory }: IdentityContracts): DeployTypedData | undefined {
  const { data } = Deploy.safeParse(given);
  const { data: ours } = ContractAddress.safeParse(factory);
  if (!data || (ours && !isAddressEqual(ours, data.domain.verifyingContract))) return undefined;
  return describeDeploy(data.domain, data.message);
}

/** Reads the order that creates the Machine ID, in the same way. */
export function readExecute(given: unknown): ExecuteTypedData | undefined {
  const { data } = Execute.safeParse(given);
  return data && addsOwnRecord(data) ? describeExecute(data.domain, data.message) : undefined;
}

/**
 * Whether an account is ordered to do the one thing that a Machine ID needs: to add a record of itself where the
 * network keeps them. Any other call could give away what the account owns.
 */
function addsOwnRecord({ domain, message }: z.output<typeof Execute>): boolean {
  const start = concat([ADD_RECORD, padHex(domain.verifyingContract)]);
  const isOwn = message.data.toLowerCase().startsWith(start.toLowerCase());
  return isOwn && isAddressEqual(message.target, IDENTITY_PRECOMPILE);
}

/** The first bytes of a call that adds a record. The account that it is about comes next. */
const ADD_RECORD = toFunctionSelector("function addAttribute(address,bytes,bytes,uint32)");
