import { isAddressEqual, type Address, type LocalAccount } from "viem";
import { IDENTITY_CHAIN_ID } from "../chain/contract.ts";
import { TICKET_TYPES } from "./abi.ts";
import type { GoldenTicket, TicketState } from "./contract.ts";
import type { PassContract } from "./pass-contract.ts";

type Asked = {
  holder: Address;
  nonce: bigint | null;
  canMint: boolean | null;
  /** The account whose tickets the contract accepts, or null if it accepts none. */
  signer: Address | null;
};

/**
 * Returns the ticket that lets a wallet mint. Signs one only if the contract requires it, would let this wallet mint,
 * and accepts the signature of the configured key.
 */
export async function writeTicket(
  contract: PassContract,
  key: LocalAccount | undefined,
  { canMint, holder, nonce, signer }: Asked,
): Promise<{ ticketState: TicketState; goldenTicket: GoldenTicket | null }> {
  if (!signer) return { ticketState: "not-needed", goldenTicket: null };
  if (!canMint) return { ticketState: "not-eligible", goldenTicket: null };
  const domain = key && isAddressEqual(key.address, signer) && nonce !== null ? await contract.readDomain() : null;
  // Never sign for another contract or chain, whatever this contract says about itself.
  const isOwn =
    domain?.chainId === IDENTITY_CHAIN_ID &&
    domain.verifyingContract !== undefined &&
    isAddressEqual(domain.verifyingContract, contract.address);
  if (!key || nonce === null || !isOwn) return { ticketState: "unavailable", goldenTicket: null };

  const message = { holder, nonce };
  const signature = await key.signTypedData({ domain, types: TICKET_TYPES, primaryType: "GoldenTicket", message });
  return { ticketState: "ready", goldenTicket: { signature, nonce: nonce.toString() } };
}
