import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * How long a request waits for the database in total. The clock runs while any of its queries waits, and stops while
 * the request does something else, such as hashing a password.
 */
class TimeBudget {
  /** In milliseconds, from the start. */
  readonly limit: number;
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();
  /** The budget that this one is part of. Its clock runs at the same time. */
  readonly #whole: TimeBudget | undefined;

  constructor(limit: number, whole?: TimeBudget) {
    this.limit = limit;
    this.#left = limit;
    this.#whole = whole;
  }

  /** The same object for everything that one request asks. */
  get request(): object {
    return this.#whole ?? this;
  }

  get isOver(): boolean {
    return this.#left <= 0 || (this.#whole?.isOver ?? false);
  }

  /** Starts waiting. Calls `giveUp` when the time is used up. Returns a function that ends the wait. */
  wait(giveUp: () => void): () => void {
    this.#waiting.add(giveUp);
    if (this.#waiting.size === 1 && this.#left < Infinity) this.#run();
    const endWhole = this.#whole?.wait(giveUp);
    return () => {
      endWhole?.();
      if (this.#waiting.delete(giveUp) && this.#waiting.size === 0) this.#pause();
    };
  }

  /** Removes the limit. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Infinity;
  }

  #run() {
    this.#since = performance.now();
    // Handles data first that arrived while the process was busy.
    const timer = setTimeout(() => setImmediate(() => this.#timer === timer && this.#giveUp()), this.#left).unref();
    this.#timer = timer;
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#since;
  }

  #giveUp() {
    this.#left = 0;
    for (const giveUp of Array.from(this.#waiting)) giveUp();
  }
}

const current = new AsyncLocalStorage<TimeBudget>();

/** Returns the time budget of the current request, or undefined if nobody waits for a response. */
export const currentTimeBudget = (): TimeBudget | undefined => current.getStore();

export const createTimeoutError = () => new DatabaseUnavailable("The database took too long to answer.");

/**
 * Does work that somebody waits for, within `limit` milliseconds. Whatever is still running after the answer has no
 * limit.
 */
export const withTimeLimit = <Result>(limit: number, work: () => Promise<Result>): Promise<Result> =>
  runWithin(new TimeBudget(limit), work);

/** Does part of a request's work within a shorter limit. Something else can then be tried in the time that is left. */
export const withShorterTimeLimit = <Result>(limit: number, work: () => Promise<Result>): Promise<Result> =>
  runWithin(new TimeBudget(limit, current.getStore()), work);

async function runWithin<Result>(budget: TimeBudget, work: () => Promise<Result>): Promise<Result> {
  try {
    // Awaited in here, because awaiting is what sends a query that `work` returns unsent.
    return await current.run(budget, async () => await work());
  } finally {
    budget.end();
  }
}

/** Does work for several requests at once, with the full time limit of the first one. */
export async function runWithFullLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  const budget = current.getStore();
  return budget ? withTimeLimit(budget.limit, work) : work();
}

/** Lifts the limit of the current request. Administrators' calls have none, because a file may take long. */
export const liftTimeLimit = (): void => current.getStore()?.end();

/** Waits for work that others share. Throws DatabaseUnavailable if that takes too long for the current request. */
export async function waitForShared<Result>(work: Promise<Result>): Promise<Result> {
  const budget = current.getStore();
  if (!budget) return work;
  const tooLong = Promise.withResolvers<never>();
  const end = budget.wait(() => tooLong.reject(createTimeoutError()));
  return Promise.race([work, tooLong.promise]).finally(end);
}
