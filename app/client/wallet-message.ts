import { getAddress, isAddress } from "viem";
import { generateSiweNonce } from "viem/siwe";
import {
  MESSAGE_LIFETIME_SECONDS,
  WalletMessageQuery,
  type WalletMessage,
  type WalletPurpose,
} from "../../server/wallet/contract.ts";
import { brand } from "../../brand.ts";
import { ApiError } from "../api/api-error.ts";

/** What the signed text says (product specification, section 7). */
const STATEMENTS: Record<WalletPurpose, string> = {
  link: `This permanently links this wallet to your ${brand.name} account and can be done only once.`,
  change: `This changes the wallet linked to your ${brand.name} account. Warning: the change can be done only once.`,
};

const IDENTITY_CHAIN_ID = 3338;

/**
 * What a wallet signs where the backend hands out no message: the same text as ours (EIP-4361), with a nonce that nobody
 * but the backend could hold to be used once (docs/decisions/0036-a-backend-of-only-the-specified-calls.md).
 */
export function writeWalletMessage(asked: object, origin: string, now = new Date()): WalletMessage {
  const { data: query } = WalletMessageQuery.safeParse(asked);
  if (!query || !isAddress(query.address, { strict: false }))
    throw new ApiError("That is not a wallet address.", "VALIDATION_ERROR", 400, { fromServer: true });
  const nonce = generateSiweNonce();
  const expiresAt = new Date(now.getTime() + MESSAGE_LIFETIME_SECONDS * 1000).toISOString();
  const message = [
    `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
    getAddress(query.address),
    "",
    STATEMENTS[query.purpose],
    "",
    `URI: ${origin}`,
    "Version: 1",
    `Chain ID: ${IDENTITY_CHAIN_ID}`,
    `Nonce: ${nonce}`,
    `Issued At: ${now.toISOString()}`,
    `Expiration Time: ${expiresAt}`,
  ].join("\n");
  return { nonce, message, expiresAt };
}
