import { getAddress, isAddress } from "viem";
import { summarize } from "../chain/rpc/rpc-errors.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { readUser } from "../profile/service.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import type { NodePass, NodePassToken } from "./contract.ts";

const NOTHING = { wallet: null, contract: null, holding: null, minting: null };

/** Returns the passes of a member's linked wallet. Throws UNAVAILABLE while the chain cannot be reached. */
export async function readMemberPass(deps: Deps, userId: string): Promise<NodePass> {
  const { nodePass } = deps;
  if (!nodePass) return { state: "off", ...NOTHING };
  const { wallet } = await readUser(deps, userId);
  if (!wallet || !isAddress(wallet, { strict: false })) return { state: "no-wallet", ...NOTHING };
  return orUnavailable(deps, nodePass.readHolder(getAddress(wallet)));
}

/** Returns one pass, whoever owns it. Throws NOT_FOUND, TOO_MANY_ATTEMPTS and UNAVAILABLE. */
export async function readPassToken(deps: Deps, userId: string, tokenId: string): Promise<NodePassToken> {
  const { limits, nodePass } = deps;
  await limits.take(LIMITS.nodePassByAccount, userId);
  const id = BigInt(tokenId);
  const token = nodePass && id <= LARGEST_ID ? await orUnavailable(deps, nodePass.readToken(id)) : null;
  if (!token) throw new AppError("NOT_FOUND", "There is no such pass.");
  return token;
}

const LARGEST_ID = 2n ** 256n - 1n;

function orUnavailable<Answer>({ log }: Pick<Deps, "log">, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((cause: unknown) => {
    log.warn({ err: summarize(cause) }, "the node pass could not be read");
    throw new AppError("UNAVAILABLE", "We cannot read your node pass right now. Try again later.", {
      cause,
      retryAfter: 10,
    });
  });
}
