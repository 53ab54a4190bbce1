import { getAddress } from "viem";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { isUniqueViolation } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Caller, Requester } from "../http/endpoint.ts";
import { lockWallet } from "../machine-id/queries.ts";
import { hasStartedDeployment, readMember, type Member } from "../member/member.ts";
import { readUser } from "../profile/service.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { recordEvent } from "../security-activity/service.ts";
import type {
  ChangeObstacle,
  DetectedWallet,
  WalletChangeEligibility,
  WalletMessage,
  WalletMessageQuery,
  WalletPurpose,
  WalletSignatureInput,
} from "./contract.ts";
import { checkMessage, checkSignature, isOfContract, writeMessage } from "./message.ts";
import * as queries from "./queries.ts";

const CONTRACT =
  "This is a contract wallet. It can sign a message but not what a Machine ID needs later, so it cannot be linked. Use a wallet with a key of its own.";
const TAKEN = "This wallet is linked to another account. Use another wallet.";
const LINKED = "Your account already has a linked wallet. You can link a wallet only once.";
const SPENT = "This signature was already used. Please start again.";

const OBSTACLES: Record<ChangeObstacle, string> = {
  "not-linked": "There is no linked wallet to change yet.",
  "already-changed": "You have already changed your wallet. You can change it only once.",
  "smart-account-started":
    "Your Smart Account belongs to the linked wallet for good, so the wallet can no longer be changed.",
};

/**
 * Returns the message for the wallet to sign. Its nonce is valid for five minutes, once, and only in this session.
 * Throws UNAUTHENTICATED if the caller has no session.
 */
export function issueMessage(
  { env, now, walletNonces }: Deps,
  { address, origin: asked, purpose }: WalletMessageQuery,
  caller: Caller,
): WalletMessage {
  const origin = env.publicUrl ?? asked ?? `http://localhost:${env.port}`;
  const scope = { ...sessionOf(caller), address, purpose, origin };
  const { nonce, expiresAt } = walletNonces.issue(scope, now());
  return { nonce, message: writeMessage({ ...scope, nonce, expiresAt }), expiresAt: expiresAt.toISOString() };
}

function sessionOf({ sessionId, userId }: Caller) {
  if (!sessionId) throw new AppError("UNAUTHENTICATED", "Sign in first.");
  return { userId, sessionId };
}

/**
 * Returns what is public about an address, and whether it is the caller's own. Throws TOO_MANY_ATTEMPTS, and
 * UNAVAILABLE while the network cannot be reached.
 */
export async function detectWallet(
  { chain, db, limits }: Deps,
  { address }: { address: string },
  { userId }: Caller,
): Promise<DetectedWallet> {
  await limits.take(LIMITS.walletByAccount, userId);
  const { user } = await readMember(db, userId);
  const linked = user.wallet?.toLowerCase() === address.toLowerCase();
  return { address: getAddress(address), linked, contract: await chain.hasCode(getAddress(address)) };
}

/**
 * Links a wallet to the account, for good. Throws VALIDATION_ERROR for a contract, and for a message or signature that
 * proves nothing. Throws EXPIRED and ALREADY_USED, and CONFLICT if the account has a wallet or the wallet another
 * account. Throws TOO_MANY_ATTEMPTS, and UNAVAILABLE while the network cannot say whether it is a contract.
 */
export async function linkWallet(deps: Deps, input: WalletSignatureInput, { caller, client }: Requester) {
  const { userId } = caller;
  const proof = await proveWallet(deps, "link", input, caller);
  await decide(deps, async (tx) => {
    await spend(tx, proof);
    if (!(await queries.saveLink(tx, { userId, wallet: proof.wallet, now: deps.now() }))) {
      throw new AppError("CONFLICT", LINKED);
    }
    await recordEvent({ db: tx, now: deps.now }, { userId, kind: "wallet-linked", client });
  });
  return { success: true, message: "Wallet linked successfully!", user: await readUser(deps, userId) };
}

/** Returns whether the wallet can still be changed, and if not, why. */
export async function readChangeEligibility(
  { db }: Pick<Deps, "db">,
  { userId }: Caller,
): Promise<WalletChangeEligibility> {
  const obstacle = findObstacle(await readMember(db, userId));
  if (!obstacle) return { eligible: true, reason: null, message: "The wallet can be changed once." };
  return { eligible: false, reason: obstacle, message: OBSTACLES[obstacle] };
}

/**
 * Replaces the linked wallet, once, and only until a Smart Account is started. Throws what `linkWallet` throws, and
 * CONFLICT if something prevents the change.
 */
export async function changeWallet(deps: Deps, input: WalletSignatureInput, { caller, client }: Requester) {
  const { userId } = caller;
  const proof = await proveWallet(deps, "change", input, caller);
  await decide(deps, async (tx) => {
    await lockWallet(tx, userId);
    const member = await readMember(tx, userId);
    const obstacle = findObstacle(member);
    if (obstacle) throw new AppError("CONFLICT", OBSTACLES[obstacle]);
    if (member.user.wallet?.toLowerCase() === proof.wallet.toLowerCase()) {
      throw new AppError(
        "CONFLICT",
        "This wallet is already linked to your account. Choose another account in your wallet.",
      );
    }
    await spend(tx, proof);
    await queries.saveChange(tx, { userId, wallet: proof.wallet, now: deps.now() });
    await recordEvent({ db: tx, now: deps.now }, { userId, kind: "wallet-changed", client });
  });
  return { success: true, message: "Wallet changed successfully!" };
}

function findObstacle(member: Member): ChangeObstacle | null {
  if (!member.user.wallet) return "not-linked";
  if (hasStartedDeployment(member)) return "smart-account-started";
  return member.walletChangedAt ? "already-changed" : null;
}

type Proof = { wallet: string; nonce: string; expiresAt: Date };

/**
 * Proves that the caller has the wallet. Looks for code first: a contract's signature would only look like a wrong one.
 */
async function proveWallet(deps: Deps, purpose: WalletPurpose, input: WalletSignatureInput, caller: Caller) {
  const { chain, env, limits, now, walletNonces } = deps;
  await limits.take(LIMITS.walletByAccount, caller.userId);
  const expected = { ...sessionOf(caller), purpose, origin: env.publicUrl, now: now() };
  const spendable = checkMessage(walletNonces, input, expected);
  const wallet = getAddress(input.address);
  if ((await chain.hasCode(wallet)) || isOfContract(input.signature)) throw new AppError("VALIDATION_ERROR", CONTRACT);
  await checkSignature(input);
  return { wallet, ...spendable };
}

/** Runs the work in one transaction. The unique key ensures that a wallet has only one account. */
async function decide({ db }: Deps, work: (tx: Tx) => Promise<void>) {
  try {
    await inTransaction(db, work);
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError("CONFLICT", TAKEN, { cause: error });
    throw error;
  }
}

async function spend(tx: Tx, { nonce, expiresAt }: Proof) {
  if (!(await queries.spendNonce(tx, { nonce, expiresAt }))) throw new AppError("ALREADY_USED", SPENT);
}
