/** Sleeping until there is something to do. */
export type Waker = {
  wake: () => void;
  /** Resolves at the next wake, or when the time is over or the signal is given. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

export function createWaker(): Waker {
  let woken = Promise.withResolvers<void>();
  return {
    wake: () => woken.resolve(),
    async wait(milliseconds, signal) {
      const timeout = AbortSignal.any([AbortSignal.timeout(milliseconds), signal]);
      const ended = Promise.withResolvers<void>();
      timeout.addEventListener("abort", () => ended.resolve(), { once: true });
      if (!timeout.aborted) await Promise.race([woken.promise, ended.promise]);
      woken = Promise.withResolvers();
    },
  };
}
