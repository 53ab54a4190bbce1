import { isAddressEqual, type Address, type LocalAccount } from "viem";
import { IDENTITY_CHAIN_ID } from "../chain/contract.ts";
import { TICKET_TYPES } from "./abi.ts";
import type { GoldenTicket, TicketState } from "./contract.ts";
import type { PassContract } from "./pass-contract.ts";

type Asked = {
  holder: Address;
  nonce: bigint | null;
  canMint: boolean | null;
  /** Whose tickets the contract takes; null when it takes none. */
  signer: Address | null;
};

/**
 * The ticket that lets a wallet mint, signed where the contract asks for one, would let this wallet mint, and takes the
 * signature of the key that is configured.
 */
export async function writeTicket(
  contract: PassContract,
  key: LocalAccount | undefined,
  { canMint, holder, nonce, signer }: Asked,
): Promise<{ ticketState: TicketState; goldenTicket: GoldenTicket | null }> {
  if (!signer) return { ticketState: "not-needed", goldenTicket: null };
  if (!canMint) return { ticketState: "not-eligible", goldenTicket: null };
  const domain = key && isAddressEqual(key.address, signer) && nonce !== null ? await contract.readDomain() : null;
  // Nothing is signed for another contract or chain, whatever this one says of itself.
  const isOwn =
    domain?.chainId === IDENTITY_CHAIN_ID &&
    domain.verifyingContract !== undefined &&
    isAddressEqual(domain.verifyingContract, contract.address);
  if (!key || nonce === null || !isOwn) return { ticketState: "unavailable", goldenTicket: null };

  const message = { holder, nonce };
  const signature = await key.signTypedData({ domain, types: TICKET_TYPES, primaryType: "GoldenTicket", message });
  return { ticketState: "ready", goldenTicket: { signature, nonce: nonce.toString() } };
}
