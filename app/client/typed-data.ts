import * as z from "zod";
import type { DeployTypedData, ExecuteTypedData } from "../../server/machine-id/contract.ts";

/* What the owner signs on the identity network (EIP-712), where the backend does not hand it out complete. */

/** The contracts of the identity network, as this installation's settings have them. */
export type IdentityContracts = {
  factory?: string | undefined;
  /** Of the domains: deployments of the contracts differ in it. */
  version: string;
};

const CHAIN_ID = 3338;

const DOMAIN_FIELDS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

/** The consent to a Smart Account, with the time of now in milliseconds for its nonce (product specification, section 7). */
export function describeDeploy(factory: string, version: string, machineOwner: string): DeployTypedData {
  return {
    domain: { name: "MachineStationFactory", version, chainId: CHAIN_ID, verifyingContract: factory },
    types: {
      EIP712Domain: DOMAIN_FIELDS,
      DeployMachineSmartAccount: [
        { name: "machineOwner", type: "address" },
        { name: "nonce", type: "uint256" },
      ],
    },
    primaryType: "DeployMachineSmartAccount",
    message: { machineOwner: machineOwner.toLowerCase(), nonce: String(Date.now()) },
  };
}

/** What a Machine ID is asked for with. The specification does not say whether its nonce is a text. */
export const IdentityRequest = z.object({
  machineAddress: z.string(),
  target: z.string(),
  calldata: z.string(),
  nonce: z.union([z.string(), z.number()]).transform(String),
});
type IdentityRequest = z.output<typeof IdentityRequest>;

/** The order to the member's own account that makes the Machine ID. */
export function describeExecute(
  { machineAddress, target, calldata, nonce }: IdentityRequest,
  version: string,
): ExecuteTypedData {
  return {
    domain: { name: "MachineSmartAccount", version, chainId: CHAIN_ID, verifyingContract: machineAddress },
    types: {
      EIP712Domain: DOMAIN_FIELDS,
      Execute: [
        { name: "target", type: "address" },
        { name: "data", type: "bytes" },
        { name: "nonce", type: "uint256" },
      ],
    },
    primaryType: "Execute",
    message: { target, data: calldata, nonce },
  };
}
