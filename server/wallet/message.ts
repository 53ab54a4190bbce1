import { getAddress, type Hex, isAddressEqual, recoverMessageAddress } from "viem";
import { parseSiweMessage } from "viem/siwe";
import { isCanonical } from "../chain/typed-data.ts";
import { AppError } from "../errors.ts";
import { writeWalletText, type WalletSignatureInput } from "./contract.ts";
import type { NonceScope, WalletNonces } from "./nonce.ts";

const START_AGAIN = "Please start again.";

type Message = Pick<NonceScope, "address" | "purpose" | "origin"> & { nonce: string; expiresAt: Date };

/** What a wallet signs for us, with its address in the spelling of its checksum. */
export const writeMessage = ({ address, ...message }: Message): string =>
  writeWalletText({ ...message, address: getAddress(address) });

type Expected = Omit<NonceScope, "address" | "origin"> & {
  /** Where the product is reached; undefined in a demo, which believes what the message was asked for with. */
  origin: string | undefined;
  now: Date;
};

/**
 * The nonce of a message that we have written for this very session, wallet, purpose and place, and that is not over.
 * Throws VALIDATION_ERROR and EXPIRED.
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
  // The text is ours to the letter: of what it says only the time can still be wrong.
  if (now >= expiresAt) {
    throw new AppError("EXPIRED", `The message was signed too late: it is good for 5 minutes. ${START_AGAIN}`);
  }
  return { nonce, expiresAt };
}

/**
 * Whether a signature is longer than a key's: contracts sign so (ERC-1271, ERC-6492), also those that are on another
 * network alone, or on none yet.
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
    // Numbers that are on no curve.
    return false;
  }
}
