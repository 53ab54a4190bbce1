/** One that waits: until it is started, or is told that it has waited for too long. */
export type Waiter = { start: () => void; giveUp: () => void };

type Options = {
  /** Milliseconds that one may wait. */
  patience: number | undefined;
  /** Why one that has waited for too long is refused. */
  refuse: (reason: "late") => Error;
};

/** Lets work wait in the lines of its callers, and knows how much waits in all of them. */
export function createWaitingList({ patience, refuse }: Options) {
  let count = 0;

  /** Waits at the end of a line until it is started. Rejects with what `refuse` makes. */
  function wait(line: Waiter[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = patience === undefined ? undefined : setTimeout(() => waiter.giveUp(), patience).unref();
    const end = (settle: () => void) => {
      clearTimeout(timer);
      count -= 1;
      settle();
    };
    const waiter: Waiter = {
      start: () => end(resolve),
      giveUp() {
        line.splice(line.indexOf(waiter), 1);
        end(() => reject(refuse("late")));
      },
    };
    count += 1;
    line.push(waiter);
    return promise;
  }

  return { wait, count: () => count };
}
