import { getAddress, isAddress } from "viem";
import { generateSiweNonce, parseSiweMessage } from "viem/siwe";
import {
  MESSAGE_LIFETIME_SECONDS,
  WalletMessageQuery,
  writeWalletText,
  type WalletMessage,
  type WalletPurpose,
} from "../../server/wallet/contract.ts";
import { ApiError } from "../api/api-error.ts";

/**
 * Writes what a wallet signs if the backend provides no message. The text is the same as ours. Only the backend could
 * make sure that its nonce is used once (docs/decisions/0036-a-backend-of-only-the-specified-calls.md).
 */
export function writeWalletMessage(asked: object, origin: string): WalletMessage {
  const { data: query } = WalletMessageQuery.safeParse(asked);
  if (!query || !isAddress(query.address, { strict: false }))
    throw new ApiError("That is not a wallet address.", "VALIDATION_ERROR", 400, { fromServer: true });
  const nonce = generateSiweNonce();
  const expiresAt = new Date(Date.now() + MESSAGE_LIFETIME_SECONDS * 1000);
  const { address, purpose } = query;
  const message = writeWalletText({ address: getAddress(address), purpose, origin, nonce, expiresAt });
  return { nonce, message, expiresAt: expiresAt.toISOString() };
}

type Shown = {
  address: string;
  purpose: WalletPurpose;
  /** Where the page may be reached. */
  origins: readonly string[];
};

/**
 * Whether a text is our own for this wallet, purpose and page, to the letter. Only its nonce and its times are up to
 * the backend: anything else could sign the wallet's owner in elsewhere.
 */
export function isOurText(message: unknown, { address, purpose, origins }: Shown): boolean {
  if (typeof message !== "string") return false;
  const { expirationTime: expiresAt, nonce, uri: origin } = parseSiweMessage(message);
  if (!nonce || !origin || !origins.includes(origin) || !expiresAt || Number.isNaN(expiresAt.getTime())) return false;
  return message === writeWalletText({ address: getAddress(address), purpose, origin, nonce, expiresAt });
}
