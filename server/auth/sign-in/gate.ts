import { AppError } from "../../errors.ts";

/** Seconds after which a full queue has surely moved on. */
const RETRY_AFTER = 2;

/** Lets a bounded number of tasks run, a bounded number wait in order, and refuses the rest with UNAVAILABLE. */
export function createGate({ concurrent, waiting }: { concurrent: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  function ensureRoom() {
    if (running < concurrent || queue.length < waiting) return;
    throw new AppError("UNAVAILABLE", "Too many people are signing in right now. Please try again in a moment.", {
      retryAfter: RETRY_AFTER,
    });
  }

  async function run<Result>(task: () => Promise<Result>): Promise<Result> {
    ensureRoom();
    if (running < concurrent) running++;
    // Whoever leaves hands over the place, so `running` stays as it is.
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await task();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  }

  return { run, ensureRoom };
}
