import { getTypesForEIP712Domain, hashTypedData, recoverTypedDataAddress, type Address, type Hex } from "viem";
import { AppError } from "../errors.ts";

/* The typed data (EIP-712) of the factory and of the accounts it deploys. */

/** The identity network. */
export const IDENTITY_CHAIN_ID = 3338;

/** Where the network keeps identity records. */
export const IDENTITY_PRECOMPILE: Address = "0x0000000000000000000000000000000000000800";

export type Domain = { name: string; version: string; chainId: number; verifyingContract: Address };
/** The factory's own domain, and that of any account which it deployed. */
export type Domains = { factory: Domain; account: (machine: Address) => Promise<Domain> };

type Field = { name: string; type: string };
/** Texts where the wire has no numbers large enough: as JSON, and as wallets take them. */
export type TypedData<Primary extends string = string, Message = Record<string, string>> = {
  domain: Domain;
  types: Record<string, Field[]>;
  primaryType: Primary;
  message: Message;
};

type DeployMessage = { machineOwner: string; nonce: string };
type ExecuteMessage = { target: string; data: string; nonce: string };

export function describeDeploy(domain: Domain, message: DeployMessage) {
  const fields = [
    { name: "machineOwner", type: "address" },
    { name: "nonce", type: "uint256" },
  ];
  return describe(domain, "DeployMachineSmartAccount", fields, message);
}

export function describeExecute(domain: Domain, message: ExecuteMessage) {
  const fields = [
    { name: "target", type: "address" },
    { name: "data", type: "bytes" },
    { name: "nonce", type: "uint256" },
  ];
  return describe(domain, "Execute", fields, message);
}

function describe<Primary extends string, Message extends Record<string, string>>(
  domain: Domain,
  primaryType: Primary,
  fields: Field[],
  message: Message,
): TypedData<Primary, Message> {
  // Named too, since wallets that are asked directly do not add it.
  const EIP712Domain = getTypesForEIP712Domain({ domain }).map(({ name, type }) => ({ name, type }));
  return { domain, types: { EIP712Domain, [primaryType]: fields }, primaryType, message };
}

export const digestOf = (typedData: TypedData): Hex => hashTypedData(typedData);

/** Half of the curve's order: of the two signatures that say the same, contracts take the one with the lower s. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Checks that `owner` signed the typed data, as strictly as contracts do. Throws BAD_SIGNATURE.
 */
export async function requireSignature(typedData: TypedData, owner: Address, signature: string): Promise<Hex> {
  if (!isCanonical(signature)) throw badSignature();
  const signer = await recoverTypedDataAddress({ ...typedData, signature }).catch((cause: unknown) => {
    throw badSignature(cause);
  });
  if (signer.toLowerCase() !== owner.toLowerCase()) throw badSignature();
  return signature;
}

/** 65 bytes, lower s, v of 27 or 28: what a key makes, and nothing that only means the same (EIP-2). */
export function isCanonical(signature: string): signature is Hex {
  if (!/^0x[0-9a-fA-F]{128}1[bcBC]$/.test(signature)) return false;
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  return s > 0n && s <= HALF_ORDER;
}

const badSignature = (cause?: unknown) =>
  new AppError("BAD_SIGNATURE", "The signature is not the linked wallet's, or not for what was asked.", { cause });
