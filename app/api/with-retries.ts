import { ApiError } from "./api-error.ts";

const PAUSE_MS = 300;

/** Sends, and sends again up to `retries` times while the backend is not there. A refusal is final. */
export async function withRetries<T>(retries: number, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt > retries || !(error instanceof ApiError) || error.status < 500) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}
