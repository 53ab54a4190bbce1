import { once } from "node:events";

export type Waker = ReturnType<typeof createWaker>;

/** Sleeping until there is something to do. */
export function createWaker() {
  let woken = Promise.withResolvers<void>();
  return {
    wake: () => woken.resolve(),
    /** Resolves at the next wake, or when the time is over or the signal is given. */
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      const ended = AbortSignal.any([AbortSignal.timeout(milliseconds), signal]);
      if (!ended.aborted) await Promise.race([woken.promise, once(ended, "abort")]);
      woken = Promise.withResolvers();
    },
  };
}
