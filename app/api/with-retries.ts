import { ApiError } from "./api-error.ts";

const PAUSE_MS = 300;

export type RetryRules<Answer> = {
  /** How often it is sent again while the backend is not there. */
  retries?: number | undefined;
  /** Whether it was sent before, and nobody knows what came of that. */
  isRepeated?: boolean | undefined;
  /**
   * What it has brought about, read anew; null where it has not. Without an answer to the first attempt, a refusal of the
   * next says nothing of what the first one did: then this is what speaks.
   */
  findOutcome?: (() => Promise<Answer | null>) | undefined;
};

/** Sends, and sends again while the backend is not there. A refusal is final, but for one that follows a lost answer. */
export async function withRetries<Answer>(
  { retries = 0, isRepeated = false, findOutcome }: RetryRules<Answer>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  let isLost = isRepeated;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isUnavailable = error instanceof ApiError && error.status >= 500;
      isLost ||= isUnavailable;
      if (attempt > retries || !isUnavailable) {
        const outcome = isLost ? await findOutcome?.().catch(() => null) : null;
        if (outcome) return outcome;
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}
