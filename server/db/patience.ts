import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * How long one request waits for the database in all: time passes while any of its queries waits, and not while it does
 * something else, such as hashing a password.
 */
class Patience {
  /** Milliseconds, from its start. */
  readonly limit: number;
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();
  /** The patience that this one is a part of: time passes there, too. */
  readonly #whole: Patience | undefined;

  constructor(limit: number, whole?: Patience) {
    this.limit = limit;
    this.#left = limit;
    this.#whole = whole;
  }

  /** The same for all that one request asks. */
  get request(): object {
    return this.#whole ?? this;
  }

  get isOver(): boolean {
    return this.#left <= 0 || (this.#whole?.isOver ?? false);
  }

  /** Waits on; `giveUp` is called when that was for too long. Returns the end of waiting. */
  wait(giveUp: () => void): () => void {
    this.#waiting.add(giveUp);
    if (this.#waiting.size === 1 && this.#left < Infinity) this.#run();
    const endWhole = this.#whole?.wait(giveUp);
    return () => {
      endWhole?.();
      if (this.#waiting.delete(giveUp) && this.#waiting.size === 0) this.#pause();
    };
  }

  /** There is no hurry any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Infinity;
  }

  #run() {
    this.#since = performance.now();
    // What has come while the process was busy is heard first.
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

const current = new AsyncLocalStorage<Patience>();

/** That of the request which the current code works for; undefined where nobody waits for an answer. */
export const currentPatience = (): Patience | undefined => current.getStore();

export const describeImpatience = () => new DatabaseUnavailable("The database took too long to answer.");

/** Does what somebody waits for. Once it is answered, what is left of it takes the time that it needs. */
export const answerWithin = <Result>(limit: number, work: () => Promise<Result>): Promise<Result> =>
  bePatient(new Patience(limit), work);

/** Does a part of it within less time, after which something else can be tried in what is left of the whole's. */
export const answerSooner = <Result>(limit: number, work: () => Promise<Result>): Promise<Result> =>
  bePatient(new Patience(limit, current.getStore()), work);

async function bePatient<Result>(patience: Patience, work: () => Promise<Result>): Promise<Result> {
  try {
    // Awaited in here: a query that `work` returns unsent is sent by whoever awaits it.
    return await current.run(patience, async () => await work());
  } finally {
    patience.end();
  }
}

/** Does work for several at once with as much time as the first of them had from the start. */
export async function answerSeveral<Result>(work: () => Promise<Result>): Promise<Result> {
  const patience = current.getStore();
  return patience ? answerWithin(patience.limit, work) : work();
}

/** For a request that nobody sits before, such as an administrator's file. */
export const takeTime = (): void => current.getStore()?.end();

/** The result of work that others share, or DatabaseUnavailable where it is too late for the current request. */
export async function whileWaiting<Result>(work: Promise<Result>): Promise<Result> {
  const patience = current.getStore();
  if (!patience) return work;
  const tooLong = Promise.withResolvers<never>();
  const end = patience.wait(() => tooLong.reject(describeImpatience()));
  return Promise.race([work, tooLong.promise]).finally(end);
}
