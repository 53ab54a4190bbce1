import { getAddress, isAddress, type Address } from "viem";
import * as z from "zod";
import { describeDeploy, describeExecute, IDENTITY_CHAIN_ID } from "../../server/chain/contract.ts";
import type { DeployTypedData, ExecuteTypedData } from "../../server/machine-id/contract.ts";

/* Writes what the owner signs on the identity network, for backends that do not provide it complete. */

/** The contracts of the identity network, from this installation's settings. */
export type IdentityContracts = {
  factory?: string | undefined;
  /** The version in the domains. Deployments of the contracts differ in it. */
  version: string;
};

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
  describeDeploy(domainOf("MachineStationFactory", version, factory), {
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
  describeExecute(domainOf("MachineSmartAccount", version, machineAddress), { target, data: calldata, nonce });

/** Only the identity network: a signature for another network may give away everything that a wallet has there. */
const IdentityDomain = z.object({
  name: z.string(),
  version: z.string(),
  chainId: z.literal(IDENTITY_CHAIN_ID),
  verifyingContract: ContractAddress,
});

const Deploy = z.object({
  domain: IdentityDomain,
  primaryType: z.literal("DeployMachineSmartAccount"),
  message: z.object({ machineOwner: ContractAddress, nonce: Nonce }),
});

const Execute = z.object({
  domain: IdentityDomain,
  primaryType: z.literal("Execute"),
  message: z.object({ target: ContractAddress, data: z.string(), nonce: Nonce }),
});

/**
 * Reads the consent that a backend provides complete, in our own description of it. Returns undefined for anything
 * else.
 */
export function readDeploy(given: unknown): DeployTypedData | undefined {
  const { data } = Deploy.safeParse(given);
  return data && describeDeploy(data.domain, data.message);
}

/** Reads the order that creates the Machine ID, in the same way. */
export function readExecute(given: unknown): ExecuteTypedData | undefined {
  const { data } = Execute.safeParse(given);
  return data && describeExecute(data.domain, data.message);
}
