import * as z from "zod";
import { brand } from "../../brand.ts";
import { IDENTITY_CHAIN_ID } from "../chain/contract.ts";
import { endpoint } from "../http/contract.ts";
import { User } from "../profile/contract.ts";

/** How long a message is valid, from its creation until it is handed in with its signature. */
export const MESSAGE_LIFETIME_SECONDS = 5 * 60;

const WalletAddress = z
  .string("That is not a wallet address.")
  .regex(/^0x[0-9a-fA-F]{40}$/, "That is not a wallet address.")
  .meta({ description: "The address of the wallet" });

export const WalletSignatureInput = z.object({
  address: WalletAddress,
  signature: z.string("Signature is required").min(1, "Signature is required").max(4096),
  message: z.string("The signed message is missing.").min(1, "The signed message is missing.").max(4096),
});
export type WalletSignatureInput = z.infer<typeof WalletSignatureInput>;

export const WalletPurpose = z.enum(["link", "change"]);
export type WalletPurpose = z.infer<typeof WalletPurpose>;

export const WalletMessageQuery = z.object({
  address: WalletAddress,
  purpose: WalletPurpose,
  /** Only a demo without PUBLIC_URL uses it. */
  origin: z
    .string()
    .max(300)
    .refine((text) => /^https?:/.test(text) && URL.parse(text)?.origin === text, "That is not an origin.")
    .optional()
    .meta({ description: "Where the member sees the product, such as `http://localhost:3000`" }),
});
export type WalletMessageQuery = z.infer<typeof WalletMessageQuery>;

export const WalletMessage = z.object({
  /** Valid once, for the session that asked, this wallet and this purpose. */
  nonce: z.string(),
  /** The exact text that the wallet signs (EIP-4361). */
  message: z.string(),
  expiresAt: z.iso.datetime(),
});
export type WalletMessage = z.infer<typeof WalletMessage>;

const STATEMENTS: Record<WalletPurpose, string> = {
  link: `This permanently links this wallet to your ${brand.name} account and can be done only once.`,
  change: `This changes the wallet linked to your ${brand.name} account. Warning: the change can be done only once.`,
};

type WalletText = {
  /** With upper and lower case as its checksum requires. */
  address: string;
  purpose: WalletPurpose;
  origin: string;
  nonce: string;
  expiresAt: Date;
};

/**
 * Writes the text that a wallet signs (EIP-4361). Does not use viem's `createSiweMessage`, which refuses an IP address
 * with a port, as demos have.
 */
export function writeWalletText({ address, purpose, origin, nonce, expiresAt }: WalletText): string {
  const issuedAt = new Date(expiresAt.getTime() - MESSAGE_LIFETIME_SECONDS * 1000);
  return [
    `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
    address,
    "",
    STATEMENTS[purpose],
    "",
    `URI: ${origin}`,
    "Version: 1",
    `Chain ID: ${IDENTITY_CHAIN_ID}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
  ].join("\n");
}

const DetectWalletQuery = z.object({ address: WalletAddress });

/** Says nothing about other members. Only its signature reveals whether an address is another member's wallet. */
export const DetectedWallet = z.object({
  address: z.string(),
  /** Whether it is the wallet linked to the member's own account. */
  linked: z.boolean(),
  /** Whether it is a contract, which cannot be linked. */
  contract: z.boolean(),
});
export type DetectedWallet = z.infer<typeof DetectedWallet>;

const LinkWalletResult = z.object({ success: z.boolean(), message: z.string(), user: User.optional() });

export const ChangeObstacle = z.enum(["not-linked", "already-changed", "smart-account-started"]);
export type ChangeObstacle = z.infer<typeof ChangeObstacle>;

/** Loose, because other backends may use their own fields: the specification leaves them open. */
export const WalletChangeEligibility = z.looseObject({
  /** If this is missing, trying to change the wallet tells more. */
  eligible: z.boolean().default(true),
  /** What prevents the change, or null if nothing does. */
  reason: ChangeObstacle.nullable().optional(),
  message: z.string().optional(),
});
export type WalletChangeEligibility = z.infer<typeof WalletChangeEligibility>;

const WalletChangeResult = z.looseObject({ success: z.boolean().optional(), message: z.string().optional() });

export const readWalletMessage = endpoint("GET /api/wallet/nonce", {
  summary: "A single-use nonce, with the message for the wallet to sign",
  query: WalletMessageQuery,
  response: WalletMessage,
});

export const detectWallet = endpoint("GET /api/wallet/detect", {
  summary: "What is known about a wallet address before it signs",
  query: DetectWalletQuery,
  response: DetectedWallet,
  fails: ["TOO_MANY_ATTEMPTS"],
});

const signed = {
  body: WalletSignatureInput,
  fails: ["CONFLICT", "EXPIRED", "ALREADY_USED", "TOO_MANY_ATTEMPTS"],
} as const;

export const linkWallet = endpoint("POST /api/users/link-wallet", {
  ...signed,
  summary: "Link a wallet, once",
  response: LinkWalletResult,
});

export const readWalletChangeEligibility = endpoint("GET /api/users/wallet-change-eligibility", {
  summary: "Whether the linked wallet can still be changed",
  mayLag: true,
  response: WalletChangeEligibility,
});

export const changeWallet = endpoint("POST /api/users/change-wallet", {
  ...signed,
  summary: "Change the linked wallet, once",
  response: WalletChangeResult,
});
