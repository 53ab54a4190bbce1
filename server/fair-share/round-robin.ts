import type { Waiter } from "./waiting-list.ts";

export type Bounds = {
  /** How much work of one caller may run at once. */
  perCaller: number;
  /** How much work of one caller may wait for a turn. */
  waiting: number;
};

export type Caller = {
  running: number;
  waiting: Waiter[];
  bounds: Bounds;
  /** When the caller joined, or its last turn began or ended, by the monotonic clock. */
  since: number;
};

/**
 * Gives callers their turns, `atOnce` at the same time. The next turn goes to the caller who has been without one for
 * longest.
 */
export function createRoundRobin(atOnce: number) {
  /** In the order of their turns. Only callers with running or waiting work. */
  const callers = new Map<string, Caller>();
  let running = 0;

  function startNext() {
    for (const [name, caller] of callers) {
      if (running >= atOnce) return;
      if (caller.running < caller.bounds.perCaller) takeTurn(name, caller);
    }
  }

  function takeTurn(name: string, caller: Caller) {
    const next = caller.waiting.shift();
    if (!next) return;
    running += 1;
    caller.running += 1;
    moveToEnd(name, caller);
    next.start();
  }

  /** Ends a turn. It still counts against the caller for a rest of so many milliseconds, but holds up nobody else. */
  function leave(name: string, caller: Caller, rest: number) {
    running -= 1;
    if (rest > 0) {
      setTimeout(() => giveBack(name, caller), rest).unref();
      startNext();
    } else giveBack(name, caller);
  }

  function giveBack(name: string, caller: Caller) {
    caller.running -= 1;
    moveToEnd(name, caller);
    startNext();
  }

  /**
   * Moves a caller whose turn begins or ends to the end of the order, behind those who joined meanwhile. The loop in
   * `startNext` then visits the caller once more.
   */
  function moveToEnd(name: string, caller: Caller) {
    callers.delete(name);
    callers.set(name, caller);
    caller.since = performance.now();
    forgetIdle(name, caller);
  }

  function forgetIdle(name: string, { running: underWay, waiting }: Caller) {
    if (underWay === 0 && waiting.length === 0) callers.delete(name);
  }

  /** Returns the caller of that name. A new caller comes last. */
  function join(name: string, bounds: Bounds): Caller {
    const caller = callers.get(name) ?? { running: 0, waiting: [], bounds, since: performance.now() };
    callers.set(name, caller);
    return caller;
  }

  /** Returns for how long the next caller has been without a turn, in milliseconds, or 0 if none waits. */
  function measureWait(): number {
    for (const caller of callers.values())
      if (caller.waiting.length > 0 && caller.running < caller.bounds.perCaller)
        return performance.now() - caller.since;
    return 0;
  }

  return {
    find: (name: string) => callers.get(name),
    isFull: () => running >= atOnce,
    join,
    startNext,
    leave,
    forgetIdle,
    measureWait,
  };
}
