import { hashTypedData, recoverTypedDataAddress, type Address, type Hex } from "viem";
import { AppError } from "../errors.ts";
import type { Domain, TypedData } from "./contract.ts";

/* How typed data (contract.ts) is signed, and by whom. */

/** The domain of the factory, and that of any account which it deployed. */
export type Domains = { factory: Domain; account: (machine: Address) => Promise<Domain> };

export const digestOf = (typedData: TypedData): Hex => hashTypedData(typedData);

/**
 * Half of the curve's order. Each signature has a twin that means the same. Contracts accept the one with the lower s.
 */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Checks that `owner` signed the typed data, as strictly as contracts do. Throws BAD_SIGNATURE. */
export async function requireSignature(typedData: TypedData, owner: Address, signature: string): Promise<void> {
  if (!isCanonical(signature)) throw badSignature();
  const signer = await recoverTypedDataAddress({ ...typedData, signature }).catch((cause: unknown) => {
    throw badSignature(cause);
  });
  if (signer.toLowerCase() !== owner.toLowerCase()) throw badSignature();
}

/**
 * Whether a signature has 65 bytes, the lower s, and a v of 27 or 28, as keys make it. Rejects its equivalents (EIP-2).
 */
export function isCanonical(signature: string): signature is Hex {
  if (!/^0x[0-9a-fA-F]{128}1[bcBC]$/.test(signature)) return false;
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  return s > 0n && s <= HALF_ORDER;
}

const badSignature = (cause?: unknown) =>
  new AppError(
    "BAD_SIGNATURE",
    "This signature is not from your linked wallet, or not for this request. Please sign again.",
    { cause },
  );
