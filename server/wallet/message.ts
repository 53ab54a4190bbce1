import { getAddress, type Hex, isAddressEqual, recoverMessageAddress } from "viem";
import { parseSiweMessage } from "viem/siwe";
import { isCanonical } from "../chain/typed-data.ts";
import { AppError } from "../errors.ts";
import { writeWalletText, type WalletSignatureInput } from "./contract.ts";
import type { NonceScope, WalletNonces } from "./nonce.ts";

const START_AGAIN = "Please start again.";

type Message = Pick<NonceScope, "address" | "purpose" | "origin"> & { nonce: string; expiresAt: Date };

/** Writes the text that a wallet signs for us, with its address in checksum spelling. */
export const writeMessage = ({ address, ...message }: Message): string =>
  writeWalletText({ ...message, address: getAddress(address) });

type Expected = Omit<NonceScope, "address" | "origin"> & {
  /** The origin of the product. Undefined in a demo, which accepts the origin that the message was requested with. */
  origin: string | undefined;
  now: Date;
};

/**
 * Returns the nonce of a message that we wrote for exactly this session, wallet, purpose and origin, unless it has
 * expired. Throws VALIDATION_ERROR and EXPIRED.
 */
export function checkMessage(
  nonces: WalletNonces,
  { address, message }: WalletSignatureInput,
  { now, ...expected }: Expected,
): { nonce: string; expiresAt: Date } {
  const { nonce = "", uri = "" } = parseSiweMessage(message);
  const scope = { ...expected, address, origin: expected.origin ?? uri };
  const expiresAt = nonces.read(scope, nonce);
  if (!expiresAt || message !== writeMessage({ ...scope, nonce, expiresAt })) {
    throw new AppError("VALIDATION_ERROR", `The signed message is not the one for this wallet. ${START_AGAIN}`);
  }
  // The text is exactly ours, so only its time can still be wrong.
  if (now >= expiresAt) {
    throw new AppError("EXPIRED", `The message was signed too late: it is good for 5 minutes. ${START_AGAIN}`);
  }
  return { nonce, expiresAt };
}

/**
 * Whether a signature is longer than a key's. Contracts sign like that (ERC-1271, ERC-6492), including those that exist
 * only on another network, or on none yet.
 */
export const isOfContract = (signature: string): boolean => /^0x[0-9a-fA-F]{131,}$/.test(signature);

/** Throws VALIDATION_ERROR unless the wallet itself has signed the message. */
export async function checkSignature({ address, message, signature }: WalletSignatureInput): Promise<void> {
  if (isCanonical(signature) && (await isSigner(address, { message, signature }))) return;
  throw new AppError("VALIDATION_ERROR", `The signature is not from this wallet. ${START_AGAIN}`, {
    fields: { signature: [`The signature is not from this wallet. ${START_AGAIN}`] },
  });
}

async function isSigner(address: string, signed: { message: string; signature: Hex }) {
  try {
    return isAddressEqual(await recoverMessageAddress(signed), getAddress(address));
  } catch {
    // The numbers are not on the curve.
    return false;
  }
}
