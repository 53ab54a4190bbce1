/* What members sign for the identity network: typed data (EIP-712) of the factory and of the accounts it deploys. */

/** The chain id of the identity network. */
export const IDENTITY_CHAIN_ID = 3338;

type Address = `0x${string}`;

/** Where the network keeps identity records. */
export const IDENTITY_PRECOMPILE: Address = "0x0000000000000000000000000000000000000800";

export type Domain = { name: string; version: string; chainId: number; verifyingContract: Address };

type Field = { name: string; type: string };
/** Typed data with numbers as strings, because JSON has none large enough. Wallets take them like this. */
export type TypedData<Primary extends string = string, Message = Record<string, string>> = {
  domain: Domain;
  types: Record<string, Field[]>;
  primaryType: Primary;
  message: Message;
};

type DeployMessage = { machineOwner: string; nonce: string };
type ExecuteMessage = { target: string; data: string; nonce: string };

/** Describes the consent that the factory requires: to a Smart Account for this owner. */
export function describeDeploy(domain: Domain, message: DeployMessage) {
  const fields = [
    { name: "machineOwner", type: "address" },
    { name: "nonce", type: "uint256" },
  ];
  return describe(domain, "DeployMachineSmartAccount", fields, message);
}

/** Describes the consent that an account requires: to one call in its name. */
export function describeExecute(domain: Domain, message: ExecuteMessage) {
  const fields = [
    { name: "target", type: "address" },
    { name: "data", type: "bytes" },
    { name: "nonce", type: "uint256" },
  ];
  return describe(domain, "Execute", fields, message);
}

/** Included, because wallets that are asked directly do not add it. */
const EIP712Domain = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

const describe = <Primary extends string, Message extends Record<string, string>>(
  domain: Domain,
  primaryType: Primary,
  fields: Field[],
  message: Message,
): TypedData<Primary, Message> => ({ domain, types: { EIP712Domain, [primaryType]: fields }, primaryType, message });
