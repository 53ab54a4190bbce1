import { restOf } from "./rest.ts";
import { createRoundRobin, type Bounds } from "./round-robin.ts";
import { createWaitingList } from "./waiting-list.ts";

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

export type FairQueue = ReturnType<typeof createFairQueue>;

/**
 * Lets callers take turns, whatever each of them has waiting: of those who wait, the one is next who has been without
 * a turn for longest. Throws what `refuse` makes for more than may wait.
 */
export function createFairQueue({ atOnce, inAll = Infinity, patience, rests = false, refuse, ...usual }: Options) {
  const turns = createRoundRobin(atOnce);
  const waitingList = createWaitingList({ patience, refuse });

  /** Throws where one more of this caller's would be refused. */
  function ensureRoom(name: string, bounds: Bounds = usual): void {
    const { running = 0, waiting = [] } = turns.find(name) ?? {};
    if (!turns.isFull() && running < bounds.perCaller) return;
    if (waitingList.count() >= inAll) throw refuse("crowded");
    if (waiting.length >= bounds.waiting) throw refuse("full");
  }

  /** Waits for a turn of this caller's. Resolves to the function that ends it, after a rest of so many milliseconds. */
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

  return {
    ensureRoom,
    enter,
    run,
    /** For how many milliseconds whoever comes now waits, about: as long as who is next has been without a turn. */
    measureWait: turns.measureWait,
    countWaiting: waitingList.count,
  };
}
