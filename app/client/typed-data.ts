import { getAddress, isAddress, type Address } from "viem";
import * as z from "zod";
import { describeDeploy, describeExecute, IDENTITY_CHAIN_ID } from "../../server/chain/contract.ts";
import type { DeployTypedData, ExecuteTypedData } from "../../server/machine-id/contract.ts";

/* What the owner signs on the identity network, where the backend does not hand it out complete. */

/** The contracts of the identity network, as this installation's settings have them. */
export type IdentityContracts = {
  factory?: string | undefined;
  /** Of the domains: deployments of the contracts differ in it. */
  version: string;
};

const domainOf = (name: string, version: string, verifyingContract: Address) => ({
  name,
  version,
  chainId: IDENTITY_CHAIN_ID,
  verifyingContract,
});

/** Whatever its spelling: in one that is neither lower case nor its checksum nothing would be signed. */
export const ContractAddress = z
  .custom<Address>((value) => typeof value === "string" && isAddress(value, { strict: false }))
  .transform((address) => (address === address.toLowerCase() ? address : getAddress(address)));

/**
 * The consent to a Smart Account, with the time of now in milliseconds for its nonce (product specification, section
 * 7).
 */
export const writeDeploy = (factory: Address, version: string, machineOwner: string): DeployTypedData =>
  describeDeploy(domainOf("MachineStationFactory", version, factory), {
    machineOwner: machineOwner.toLowerCase(),
    nonce: String(Date.now()),
  });

/** A text or a number: the specification does not say which. */
const Nonce = z.union([z.string(), z.number()]).transform(String);

/** What a Machine ID is asked for with. */
export const IdentityRequest = z.object({
  machineAddress: ContractAddress,
  target: ContractAddress,
  calldata: z.string(),
  nonce: Nonce,
});
type IdentityRequest = z.output<typeof IdentityRequest>;

/** The order to the member's own account that makes the Machine ID. */
export const writeExecute = (
  { machineAddress, target, calldata, nonce }: IdentityRequest,
  version: string,
): ExecuteTypedData =>
  describeExecute(domainOf("MachineSmartAccount", version, machineAddress), { target, data: calldata, nonce });

/** Of the identity network: what is signed for another one may give away all that a wallet has there. */
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

/** The consent that a backend hands out complete, in our own description of it. Undefined for anything else. */
export function readDeploy(given: unknown): DeployTypedData | undefined {
  const { data } = Deploy.safeParse(given);
  return data && describeDeploy(data.domain, data.message);
}

/** Likewise the order that makes the Machine ID. */
export function readExecute(given: unknown): ExecuteTypedData | undefined {
  const { data } = Execute.safeParse(given);
  return data && describeExecute(data.domain, data.message);
}
