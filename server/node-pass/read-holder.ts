import type { Address, LocalAccount } from "viem";
import { IDENTITY_CHAIN_ID } from "../chain/contract.ts";
import { ENUMERABLE_INTERFACE, ERC721_INTERFACE } from "./abi.ts";
import { TOKENS_SHOWN, type NodePass } from "./contract.ts";
import { writeTicket } from "./golden-ticket.ts";
import type { PassContract } from "./pass-contract.ts";
import { readTokens, type Describe } from "./read-token.ts";
import { toLine, toQuantity, nullIfZeroAddress } from "./untrusted.ts";

/** The contract at NODE_PASS_ADDRESS is not a pass. Has a sentence for the operator. */
class PassProblem extends Error {
  override name = "PassProblem";
}

type Options = { wallet: Address; key: LocalAccount | undefined; describe: Describe };

/** Returns everything about a wallet's passes. Rejects if the chain cannot be reached, and with PassProblem. */
export async function readHolder(contract: PassContract, { describe, key, wallet }: Options): Promise<NodePass> {
  const [{ listsTokens, ...shown }, own] = await Promise.all([readContract(contract), readOwn(contract, wallet)]);
  const { balance, canMint, nonce, operators, signer, whitelisted } = own;
  const [tokens, ticket] = await Promise.all([
    listsTokens && balance !== null
      ? readTokens(contract, { balance, describe, most: TOKENS_SHOWN, wallet })
      : noTokens(balance),
    writeTicket(contract, key, { canMint, holder: wallet, nonce, signer }),
  ]);
  return {
    state: "ready",
    wallet,
    contract: shown,
    holding: { balance: toQuantity(balance), tokens, operators, nonce: toQuantity(nonce) },
    minting: { canMint, whitelisted, ...ticket },
  };
}

const noTokens = (balance: bigint | null) => (balance === 0n ? [] : null);

async function readContract({ address, ask }: PassContract) {
  const [isPass, listsTokens, name, symbol, totalSupply] = await Promise.all([
    ask("supportsInterface", [ERC721_INTERFACE]),
    ask("supportsInterface", [ENUMERABLE_INTERFACE]),
    ask("name", []),
    ask("symbol", []),
    ask("totalSupply", []),
  ]);
  if (!isPass) throw new PassProblem("The contract at NODE_PASS_ADDRESS is no ERC-721 contract.");
  return {
    listsTokens: listsTokens === true,
    address,
    chainId: IDENTITY_CHAIN_ID,
    name: toLine(name, 60),
    symbol: toLine(symbol, 16),
    totalSupply: toQuantity(totalSupply),
  };
}

async function readOwn({ ask }: PassContract, wallet: Address) {
  const [balance, operators, nonce, canMint, whitelisted, signer] = await Promise.all([
    ask("balanceOf", [wallet]),
    ask("operatorsOf", [wallet]),
    ask("nonces", [wallet]),
    ask("canMint", [wallet]),
    ask("isWhitelisted", [wallet]),
    ask("ticketSigner", []),
  ]);
  const shown = operators && operators.slice(0, TOKENS_SHOWN);
  return { balance, operators: shown, nonce, canMint, whitelisted, signer: nullIfZeroAddress(signer) };
}
