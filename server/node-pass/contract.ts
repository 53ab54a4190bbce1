import * as z from "zod";
import { endpoint } from "../http/contract.ts";

/** How many of a member's passes to read and show at once. */
export const TOKENS_SHOWN = 12;

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

/** A whole number from the chain, which may be too large for a number in JSON. */
const Quantity = z.string().regex(/^\d{1,78}$/);

/** What the issuer says about a pass: text to show as it is, and a picture to request from the fixed gateways. */
export const NodePassMetadata = z.object({
  name: z.string().nullable(),
  description: z.string().nullable(),
  /** An `ipfs://` link, or the picture itself as a `data:` link. Null for any other link. */
  image: z.string().nullable(),
});
export type NodePassMetadata = z.infer<typeof NodePassMetadata>;

/** One pass. Null means that its contract does not say. */
export const NodePassToken = z
  .object({
    id: Quantity,
    owner: Address,
    activated: z.boolean().nullable(),
    /** Who may move this pass besides its owner. */
    approved: Address.nullable(),
    metadata: NodePassMetadata.nullable(),
    details: z
      .object({
        tier: z.string().nullable(),
        mintedAt: z.iso.datetime().nullable(),
        activatedAt: z.iso.datetime().nullable(),
      })
      .nullable(),
  })
  .meta({ id: "NodePassToken" });
export type NodePassToken = z.infer<typeof NodePassToken>;

/** What a mint needs to be allowed, signed for one wallet and valid for one mint (EIP-712). */
export const GoldenTicket = z.object({ signature: z.string().regex(/^0x[0-9a-f]{130}$/), nonce: Quantity });
export type GoldenTicket = z.infer<typeof GoldenTicket>;

export const TicketState = z.enum(["not-needed", "not-eligible", "unavailable", "ready"]);
export type TicketState = z.infer<typeof TicketState>;

const NodePassContract = z.object({
  address: Address,
  chainId: z.number().int(),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  totalSupply: Quantity.nullable(),
});

const NodePassHolding = z.object({
  balance: Quantity.nullable(),
  /** The first of them, up to twelve, or null if the contract cannot list them. */
  tokens: z.array(NodePassToken).nullable(),
  /** Who may move all of the wallet's passes, up to twelve, or null if the contract cannot list them. */
  operators: z.array(Address).nullable(),
  /** How many signed mints there have been. */
  nonce: Quantity.nullable(),
});

export const NodePassMinting = z.object({
  canMint: z.boolean().nullable(),
  whitelisted: z.boolean().nullable(),
  ticketState: TicketState,
  /** Present if the state is `ready`. */
  goldenTicket: GoldenTicket.nullable(),
});
export type NodePassMinting = z.infer<typeof NodePassMinting>;

/** `off` if no contract is configured, and `no-wallet` until the member has linked one. */
export const NodePass = z
  .object({
    state: z.enum(["off", "no-wallet", "ready"]),
    /** The linked wallet. The fields below are present if the state is `ready`. */
    wallet: Address.nullable(),
    contract: NodePassContract.nullable(),
    holding: NodePassHolding.nullable(),
    minting: NodePassMinting.nullable(),
  })
  .meta({ id: "NodePass" });
export type NodePass = z.infer<typeof NodePass>;

export const readNodePass = endpoint("GET /api/node-pass", {
  summary: "The node passes of the linked wallet, and whether it can mint one",
  response: NodePass,
});

export const readNodePassToken = endpoint("GET /api/node-pass/tokens/{tokenId}", {
  summary: "One node pass, whoever owns it",
  params: z.object({ tokenId: z.string().regex(/^(0|[1-9]\d{0,77})$/, "That is not the number of a pass.") }),
  response: NodePassToken,
  fails: ["NOT_FOUND", "TOO_MANY_ATTEMPTS"],
});
