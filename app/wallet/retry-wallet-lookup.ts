/**
 * How many times to look again for a wallet that announces itself late, and how many milliseconds to wait before each.
 */
const RETRIES = 3;
const RETRY_MS = 200;

/** Looks for a wallet until `look` returns true, four times at most. */
export async function retryWalletLookup(look: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (await look()) return;
  }
}
