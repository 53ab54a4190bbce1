import { restOf } from "./rest.ts";

type Bounds = {
  /** Under way at once, of one caller. */
  perCaller: number;
  /** How many of one caller's may wait for their turn. */
  waiting: number;
};

type Options = Bounds & {
  /** Under way at once, of everybody. */
  atOnce: number;
  /** How many may wait in all. */
  inAll?: number;
  /** Milliseconds that one may wait. */
  patience?: number;
  /** Whether a caller's turn rests after work that cost something. */
  rests?: boolean;
  /** Why one is not let in: as many of theirs wait as may, or of everybody's, or it has waited too long. */
  refuse: (reason: "full" | "crowded" | "late") => Error;
};

type Waiter = { start: () => void; giveUp: () => void };
type Caller = {
  running: number;
  waiting: Waiter[];
  bounds: Bounds;
  /** When it came, or had or ended its last turn, by the monotonic clock. */
  since: number;
};

export type FairQueue = ReturnType<typeof createFairQueue>;

/**
 * Lets callers take turns, whatever each of them has waiting: of those who wait, the one is next who has been without
 * a turn for longest. Throws what `refuse` makes for more than may wait.
 */
export function createFairQueue({ atOnce, inAll = Infinity, patience, rests = false, refuse, ...usual }: Options) {
  /** In the order of their turns; only those who have something under way or waiting. */
  const callers = new Map<string, Caller>();
  let running = 0;
  let waitingInAll = 0;

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

  /** A turn that rests is the caller's until it has rested, and holds up nobody else. */
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
   * Whoever has or had a turn comes last, also behind those who came meanwhile; the loop above meets them once more.
   */
  function moveToEnd(name: string, caller: Caller) {
    callers.delete(name);
    callers.set(name, caller);
    caller.since = performance.now();
    forgetIdle(name, caller);
  }

  function forgetIdle(name: string, { running, waiting }: Caller) {
    if (running === 0 && waiting.length === 0) callers.delete(name);
  }

  function wait(caller: Caller): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = patience === undefined ? undefined : setTimeout(() => waiter.giveUp(), patience).unref();
    const end = (settle: () => void) => {
      clearTimeout(timer);
      waitingInAll -= 1;
      settle();
    };
    const waiter: Waiter = {
      start: () => end(resolve),
      giveUp() {
        caller.waiting.splice(caller.waiting.indexOf(waiter), 1);
        end(() => reject(refuse("late")));
      },
    };
    waitingInAll += 1;
    caller.waiting.push(waiter);
    return promise;
  }

  /** Throws where one more of this caller's would be refused. */
  function ensureRoom(name: string, bounds: Bounds = usual): void {
    const { running: own = 0, waiting = [] } = callers.get(name) ?? {};
    if (running < atOnce && own < bounds.perCaller) return;
    if (waitingInAll >= inAll) throw refuse("crowded");
    if (waiting.length >= bounds.waiting) throw refuse("full");
  }

  /** Waits for a turn of this caller's. Resolves to the function that ends it, after a rest of so many milliseconds. */
  async function enter(name: string, bounds: Bounds = usual): Promise<(rest?: number) => void> {
    ensureRoom(name, bounds);
    const caller = callers.get(name) ?? { running: 0, waiting: [], bounds, since: performance.now() };
    callers.set(name, caller);
    const turn = wait(caller);
    startNext();
    await turn.catch((error: unknown) => {
      forgetIdle(name, caller);
      throw error;
    });
    return (rest = 0) => leave(name, caller, rest);
  }

  /** Does a caller's work when it is their turn. */
  async function run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const end = await enter(name);
    const begun = performance.now();
    try {
      return await work();
    } finally {
      end(rests ? restOf(performance.now() - begun) : 0);
    }
  }

  /**
   * For how many milliseconds the caller who is next has been without a turn, 0 where none waits: whoever comes now
   * waits for about as long.
   */
  function measureWait(): number {
    for (const caller of callers.values())
      if (caller.waiting.length > 0 && caller.running < caller.bounds.perCaller)
        return performance.now() - caller.since;
    return 0;
  }

  return { ensureRoom, enter, run, measureWait, countWaiting: () => waitingInAll };
}
