import * as z from "zod";
import { endpoint } from "../http/contract.ts";
import { User } from "../profile/contract.ts";

export const WalletSignatureInput = z.object({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, "That is not a wallet address."),
  signature: z.string().min(1, "Signature is required").max(4096),
  message: z.string().min(1).max(4096),
});
export type WalletSignatureInput = z.infer<typeof WalletSignatureInput>;

export const LinkWalletResult = z.object({ success: z.boolean(), message: z.string(), user: User.optional() });
/** The server's own words and payload; the specification leaves its fields open. */
export const WalletChangeResult = z.looseObject({ message: z.string().optional() });

const wallet = { service: "main", access: "member" } as const;

export const linkWallet = endpoint({
  ...wallet,
  method: "POST",
  path: "/api/users/link-wallet",
  summary: "Link a wallet, once",
  body: WalletSignatureInput,
  response: LinkWalletResult,
});

export const readWalletChangeEligibility = endpoint({
  ...wallet,
  method: "GET",
  path: "/api/users/wallet-change-eligibility",
  summary: "Whether the linked wallet can still be changed",
  response: WalletChangeResult,
});

export const changeWallet = endpoint({
  ...wallet,
  method: "POST",
  path: "/api/users/change-wallet",
  summary: "Change the linked wallet, once",
  body: WalletSignatureInput,
  response: WalletChangeResult,
});
