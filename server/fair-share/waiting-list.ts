/** Waiting work. It is started, or refused because it has waited too long. */
export type Waiter = { start: () => void; giveUp: () => void };

type Options = {
  /** How long work may wait, in milliseconds. */
  timeout: number | undefined;
  /** Makes the error for work that has waited too long. */
  refuse: (reason: "late") => Error;
};

/** Lets work wait in the lines of its callers, and counts how much waits in all of them. */
export function createWaitingList({ timeout, refuse }: Options) {
  let count = 0;

  /** Waits at the end of a line until started. Rejects with the error from `refuse` if that takes too long. */
  function wait(line: Waiter[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = timeout === undefined ? undefined : setTimeout(() => waiter.giveUp(), timeout).unref();
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
