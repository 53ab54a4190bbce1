import { ApiError } from "./api-error.ts";

const PAUSE_MS = 300;

type RetryRules<Answer> = {
  /**
   * How often to send it again while the backend is unavailable. With 0, a repeated form does not send it again either.
   */
  retries?: number | undefined;
  /** Whether it was sent before, with an unknown result. */
  isRepeated?: boolean | undefined;
  /** Whether the caller has just read that it has not been done. Then a repeated form does not read that again. */
  isUndone?: boolean | undefined;
  /**
   * Reads again what it has done, and resolves to null if it has done nothing. If the first attempt got no response, a
   * refusal of the next one does not say what the first one did: then this result counts.
   */
  findOutcome?: (() => Promise<Answer | null>) | undefined;
};

/** Why a complete response cannot be used. What was asked for may be done, so it is not sent again. */
export class UnusableAnswer extends Error {
  override name = "UnusableAnswer";
}

/** Sends, and sends again while the backend is unavailable. A refusal is final unless it follows a lost response. */
export async function withRetries<Answer>(rules: RetryRules<Answer>, send: () => Promise<Answer>): Promise<Answer> {
  if (!rules.isRepeated) return attempt(rules, send);
  if (rules.isUndone) return attempt({ ...rules, isRepeated: false, retries: 0 }, send);
  // Earlier attempts may have used up the retries. So this reads their result first, and then sends at most once.
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
      if (attempts > retries || !isUnavailable || error.cause instanceof UnusableAnswer) {
        const outcome = isLost ? await readOutcome(rules) : null;
        if (outcome) return outcome;
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempts));
    }
  }
}

/** Returns whether a write is refused with status 200, by the generic result (product specification, section 3). */
export const isRefused = (answer: unknown): answer is { success: false } =>
  typeof answer === "object" && answer !== null && "success" in answer && answer.success === false;

/** Returns null also if the result cannot be read: the caller then gets the error that led here. */
const readOutcome = async <Answer>({ findOutcome }: RetryRules<Answer>): Promise<Answer | null> =>
  (await findOutcome?.().catch(() => null)) ?? null;
