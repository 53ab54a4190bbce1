import type { Waiter } from "./waiting-list.ts";

export type Bounds = {
  /** Under way at once, of one caller. */
  perCaller: number;
  /** How many of one caller's may wait for their turn. */
  waiting: number;
};

export type Caller = {
  running: number;
  waiting: Waiter[];
  bounds: Bounds;
  /** When it came, or had or ended its last turn, by the monotonic clock. */
  since: number;
};

/** Gives callers their turns, `atOnce` of them at a time: the next is who has been without a turn for longest. */
export function createRoundRobin(atOnce: number) {
  /** In the order of their turns; only those who have something under way or waiting. */
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

  /** Ends a turn. It stays the caller's for a rest of so many milliseconds, which holds up nobody else. */
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
   * Whoever has or had a turn comes last, also behind those who came meanwhile. `startNext` meets them once more.
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

  /** The caller of that name, who is last where they have just come. */
  function join(name: string, bounds: Bounds): Caller {
    const caller = callers.get(name) ?? { running: 0, waiting: [], bounds, since: performance.now() };
    callers.set(name, caller);
    return caller;
  }

  /** For how many milliseconds the caller who is next has been without a turn, 0 where none waits. */
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
