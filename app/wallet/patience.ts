import { timeout, TimeoutError } from "remix-utils/promise";
import { WalletError } from "./wallet-error.ts";

/** Milliseconds that a member gets to answer their wallet: wallets themselves wait for ever. */
const PATIENCE_MS = 60_000;
/** Milliseconds that a wallet gets for what it can say without asking anybody. */
export const READ_PATIENCE_MS = 10_000;

/** Waits for a wallet, but not for ever. Rejects with an "unanswered" WalletError when time is up. */
export async function patiently<T>(answer: Promise<T>, milliseconds = PATIENCE_MS): Promise<T> {
  try {
    return await timeout(answer, { ms: milliseconds });
  } catch (error) {
    if (error instanceof TimeoutError) throw new WalletError("unanswered", "Request timed out. Please try again");
    throw error;
  }
}
