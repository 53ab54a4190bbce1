/** A wallet may announce itself late: how often it is looked for again, and after how many milliseconds. */
const RETRIES = 3;
const RETRY_MS = 200;

/** Looks for a wallet until `look` says that there is nothing more to look for; four times at most. */
export async function lookPatiently(look: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (await look()) return;
  }
}
