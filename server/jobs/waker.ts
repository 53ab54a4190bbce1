import { once } from "node:events";

export type Waker = ReturnType<typeof createWaker>;

/** Creates a waker, which lets a worker sleep until there is work. */
export function createWaker() {
  let woken = Promise.withResolvers<void>();
  return {
    wake: () => woken.resolve(),
    /** Resolves at the next wake, after the given time, or when the signal aborts. */
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      const ended = AbortSignal.any([AbortSignal.timeout(milliseconds), signal]);
      if (!ended.aborted) await Promise.race([woken.promise, once(ended, "abort")]);
      woken = Promise.withResolvers();
    },
  };
}
