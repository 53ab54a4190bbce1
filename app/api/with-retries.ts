import { ApiError } from "./api-error.ts";

const PAUSE_MS = 300;

type RetryRules<Answer> = {
  /** How often it is sent again while the backend is not there; with 0 nobody else sends it again either. */
  retries?: number | undefined;
  /** Whether it was sent before, and nobody knows what came of that. */
  isRepeated?: boolean | undefined;
  /**
   * What it has brought about, read anew; null where it has not. Without an answer to the first attempt, a refusal of
   * the next says nothing of what the first one did: then this is what speaks.
   */
  findOutcome?: (() => Promise<Answer | null>) | undefined;
};

/**
 * Sends, and sends again while the backend is not there. A refusal is final, but for one that follows a lost answer.
 */
export async function withRetries<Answer>(rules: RetryRules<Answer>, send: () => Promise<Answer>): Promise<Answer> {
  if (!rules.isRepeated) return attempt(rules, send);
  // Whoever sent it before may have used up its retries: what came of that is read first, and it is sent once at most.
  const outcome = await readOutcome(rules);
  if (outcome) return outcome;
  if (rules.retries === 0) throw new ApiError("It was sent before, and is to be sent once", "UNAVAILABLE", 503);
  return attempt({ ...rules, retries: 0 }, send);
}

async function attempt<Answer>(rules: RetryRules<Answer>, send: () => Promise<Answer>): Promise<Answer> {
  const { retries = 0, isRepeated = false } = rules;
  let isLost = isRepeated;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const answer = await send();
      if (!isLost || !isRefused(answer)) return answer;
      return (await readOutcome(rules)) ?? answer;
    } catch (error) {
      const isUnavailable = error instanceof ApiError && error.status >= 500;
      isLost ||= isUnavailable;
      if (attempts > retries || !isUnavailable) {
        const outcome = isLost ? await readOutcome(rules) : null;
        if (outcome) return outcome;
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempts));
    }
  }
}

/** Whether a write is refused with status 200: by the generic result (product specification, section 3). */
export const isRefused = (answer: unknown): answer is { success: false } =>
  typeof answer === "object" && answer !== null && "success" in answer && answer.success === false;

/** Null also where it cannot be read: then the failure that led here is what is told. */
const readOutcome = async <Answer>({ findOutcome }: RetryRules<Answer>): Promise<Answer | null> =>
  (await findOutcome?.().catch(() => null)) ?? null;
