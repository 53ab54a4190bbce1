import { restOf } from "./rest.ts";
import { createRoundRobin, type Bounds } from "./round-robin.ts";
import { createWaitingList } from "./waiting-list.ts";

type Options = Bounds & {
  /** How much work may run at once, across all callers. */
  atOnce: number;
  /** How much work may wait, across all callers. */
  inAll?: number;
  /** How long work may wait, in milliseconds. */
  timeout?: number;
  /** Whether a caller's turn rests after expensive work. */
  rests?: boolean;
  /**
   * Makes the error for work that is refused: too much of the caller's work waits ("full"), too much of everybody's
   * ("crowded"), or it has waited too long ("late").
   */
  refuse: (reason: "full" | "crowded" | "late") => Error;
};

export type FairQueue = ReturnType<typeof createFairQueue>;

/**
 * Lets callers take turns, however much work each of them has waiting. Among the waiting callers, the next turn goes to
 * the one who has been without a turn for longest. Throws the error from `refuse` if too much is waiting.
 */
export function createFairQueue({ atOnce, inAll = Infinity, timeout, rests = false, refuse, ...usual }: Options) {
  const turns = createRoundRobin(atOnce);
  const waitingList = createWaitingList({ timeout, refuse });

  /** Throws if more work of this caller would be refused. */
  function ensureRoom(name: string, bounds: Bounds = usual): void {
    const { running = 0, waiting = [] } = turns.find(name) ?? {};
    if (!turns.isFull() && running < bounds.perCaller) return;
    if (waitingList.count() >= inAll) throw refuse("crowded");
    if (waiting.length >= bounds.waiting) throw refuse("full");
  }

  /** Waits for this caller's turn. Resolves to a function that ends the turn, after a rest of so many milliseconds. */
  async function enter(name: string, bounds: Bounds = usual): Promise<(rest?: number) => void> {
    ensureRoom(name, bounds);
    const caller = turns.join(name, bounds);
    const turn = waitingList.wait(caller.waiting);
    turns.startNext();
    await turn.catch((error: unknown) => {
      turns.forgetIdle(name, caller);
      throw error;
    });
    return (rest = 0) => turns.leave(name, caller, rest);
  }

  /** Does a caller's work once it is their turn. */
  async function run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const end = await enter(name);
    const begun = performance.now();
    try {
      return await work();
    } finally {
      end(rests ? restOf(performance.now() - begun) : 0);
    }
  }

  return {
    ensureRoom,
    enter,
    run,
    /** Estimates how long new work would wait, in milliseconds: as long as the next caller has been without a turn. */
    measureWait: turns.measureWait,
    countWaiting: waitingList.count,
  };
}
