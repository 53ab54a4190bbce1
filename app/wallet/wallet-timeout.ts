import { timeout, TimeoutError } from "remix-utils/promise";
import { WalletError } from "./wallet-error.ts";

/** How long a member may take to answer their wallet, in milliseconds. Wallets themselves wait for ever. */
const WALLET_TIMEOUT_MS = 60_000;
/** How long a wallet may take for what it can answer without asking anyone, in milliseconds. */
export const READ_TIMEOUT_MS = 10_000;

/** Waits for a wallet, but not for ever. Rejects with an "unanswered" WalletError when time is up. */
export async function withWalletTimeout<T>(answer: Promise<T>, milliseconds = WALLET_TIMEOUT_MS): Promise<T> {
  try {
    return await timeout(answer, { ms: milliseconds });
  } catch (error) {
    if (error instanceof TimeoutError) throw new WalletError("unanswered", "Request timed out. Please try again");
    throw error;
  }
}
