import * as z from "zod";
import { endpoint } from "../http/contract.ts";

/** Of a member's passes so many are shown, and read, at once. */
export const TOKENS_SHOWN = 12;

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

/** A whole number of the chain's, which may be larger than JSON's numbers reach. */
const Quantity = z.string().regex(/^\d{1,78}$/);

/** What the issuer says of a pass: text to show as it stands, and a picture to ask the fixed gateways for. */
export const NodePassMetadata = z.object({
  name: z.string().nullable(),
  description: z.string().nullable(),
  /** An `ipfs://` link, or the picture itself as a `data:` link; null for any other. */
  image: z.string().nullable(),
});
export type NodePassMetadata = z.infer<typeof NodePassMetadata>;

/** One pass. Null is what its contract does not say. */
export const NodePassToken = z
  .object({
    id: Quantity,
    owner: Address,
    activated: z.boolean().nullable(),
    /** Who may move this pass beside its owner. */
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

/** What a minting takes to be let through, signed for one wallet and good for one minting (EIP-712). */
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
  /** The first of them, up to twelve; null where the contract cannot list them. */
  tokens: z.array(NodePassToken).nullable(),
  /** Who may move all of the wallet's passes, up to twelve; null where the contract cannot list them. */
  operators: z.array(Address).nullable(),
  /** How many signed mintings there were. */
  nonce: Quantity.nullable(),
});

export const NodePassMinting = z.object({
  canMint: z.boolean().nullable(),
  whitelisted: z.boolean().nullable(),
  ticketState: TicketState,
  /** There when the state is `ready`. */
  goldenTicket: GoldenTicket.nullable(),
});
export type NodePassMinting = z.infer<typeof NodePassMinting>;

/** `off` where no contract is configured; `no-wallet` until the member has linked one. */
export const NodePass = z
  .object({
    state: z.enum(["off", "no-wallet", "ready"]),
    /** The linked wallet. What follows is there when the state is `ready`. */
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
