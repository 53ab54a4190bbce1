import type { Address } from "viem";
import type { NodePassMetadata, NodePassToken } from "./contract.ts";
import type { PassContract } from "./pass-contract.ts";
import { toLine, nullIfZeroAddress, toTime } from "./untrusted.ts";

/** Returns the description behind a pass's link. Returns null if there is none or it takes too long. */
export type Describe = (uri: string | null) => Promise<NodePassMetadata | null>;

/** Returns one pass, or null if it does not exist. Rejects if the chain cannot be reached. */
export async function readToken({ ask }: PassContract, id: bigint, describe: Describe): Promise<NodePassToken | null> {
  const [owner, activated, approved, uri, details] = await Promise.all([
    ask("ownerOf", [id]),
    ask("isActivated", [id]),
    ask("getApproved", [id]),
    ask("tokenURI", [id]),
    ask("details", [id]),
  ]);
  const somebody = nullIfZeroAddress(owner);
  if (!somebody) return null;
  return {
    id: id.toString(),
    owner: somebody,
    activated,
    approved: nullIfZeroAddress(approved),
    metadata: await describe(uri),
    details: details && toDetails(details),
  };
}

const toDetails = ([tier, mintedAt, activatedAt]: readonly [string, bigint, bigint]) => ({
  tier: toLine(tier, 40),
  mintedAt: toTime(mintedAt),
  activatedAt: toTime(activatedAt),
});

/** Returns the wallet's first passes. The contract must be able to list them. */
export async function readTokens(
  contract: PassContract,
  { balance, describe, most, wallet }: { balance: bigint; describe: Describe; most: number; wallet: Address },
): Promise<NodePassToken[]> {
  const count = balance > BigInt(most) ? most : Number(balance);
  const ids = await Promise.all(
    Array.from({ length: count }, (_, index) => contract.ask("tokenOfOwnerByIndex", [wallet, BigInt(index)])),
  );
  const known = new Set(ids.filter((id) => id !== null));
  const tokens = await Promise.all(Array.from(known, (id) => readToken(contract, id, describe)));
  // A pass that has just gone to somebody else is not the member's.
  return tokens.filter((token) => token !== null).filter(({ owner }) => owner === wallet);
}
