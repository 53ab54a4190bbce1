import { AsyncLocalStorage } from "node:async_hooks";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { endsWithin } from "../ends-within.ts";
import { BACKGROUND, currentCaller } from "../fair-share/caller.ts";
import { createFairQueue, type FairQueue } from "../fair-share/fair-queue.ts";
import type { Logger } from "../log/log.ts";
import { currentTimeBudget, createTimeoutError } from "./time-budget.ts";
import { traceQueries } from "./trace-queries.ts";
import {
  CallerQueueFull,
  DatabaseReadOnly,
  DatabaseUnavailable,
  findErrorCode,
  isUnreachable,
  TOO_MANY_CONNECTIONS,
  type Status,
} from "./unavailable.ts";

type Lend = (error: Error | undefined, client: PoolClient | undefined, giveBack: (error?: unknown) => void) => void;

/**
 * The transaction that the current code runs in. `open` is true until it ends, also for work that it started and left
 * running. `next` holds what to do after the commit. `unlimited` is the pool's set of that name.
 */
export const currentTransaction = new AsyncLocalStorage<{
  open: boolean;
  next: Set<() => void>;
  unlimited: Set<object>;
}>();

/** The pool that replaces another one for the current code's queries, as long as it is `open`. */
export const poolOverride = new AsyncLocalStorage<{ from: Pool; to: GuardedPool; open: boolean }>();

export type PoolUsage = {
  idle: number;
  inUse: number;
  most: number;
  waiting: number;
  /** How long the next caller in line has waited, in milliseconds. A new caller can expect to wait about as long. */
  wait: number;
};

/** How many queries of one caller may wait. Many people, or their nodes, may share an address. */
const WAITING = 1000;
/** How many statements may go out together on one connection. A page has six at most. */
const MOST_TOGETHER = 8;

/** True of a replica too, which becomes writable when it takes over. */
const READ_ONLY_QUERY = `select current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/**
 * A connection pool that fails fast and recovers. It refuses work while the database is unavailable, discards a lost
 * connection even if its borrower never returns it, and survives losing an idle one. Callers take turns, and one caller
 * gets at most half of several connections (docs/decisions/0022).
 */
export class GuardedPool extends Pool {
  /** The transactions that have no statement timeout. */
  readonly unlimited = new Set<object>();
  readonly #status: () => Status;
  readonly #queue: FairQueue;
  /** Background work takes turns like a single caller, and leaves one connection to the others. */
  readonly #background: { perCaller: number; waiting: number };
  #answer: Promise<void> | undefined;
  /** What each request wants to run and has no connection for yet. */
  readonly #together = new Map<object, Lend[]>();
  /** The connections opened since the pool was last renewed. */
  #current = new WeakSet<PoolClient>();

  constructor(config: PoolConfig, status: () => Status, log: Logger) {
    super(config);
    this.#status = status;
    const { connectionTimeoutMillis: timeout, max: atOnce } = this.options;
    this.#background = { perCaller: Math.max(1, atOnce - 1), waiting: Infinity };
    this.#queue = createFairQueue({
      atOnce,
      perCaller: Math.ceil(atOnce / 2),
      waiting: WAITING,
      ...(timeout && { timeout }),
      refuse: (reason) =>
        reason === "full" ? new CallerQueueFull() : new DatabaseUnavailable("No connection became free in time."),
    });
    const note = (error: Error) => log.debug({ err: error }, "Lost a database connection");
    this.on("error", note);
    this.on("connect", (client) => {
      client.on("error", note);
      this.#current.add(client);
    });
    this.on("connect", traceQueries);
  }

  /** Discards every connection once it is returned, because it may lead to a server whose role has changed. */
  renew(): void {
    this.#current = new WeakSet();
  }

  /** How many connections the pool has, and how many callers wait for one. */
  get usage(): PoolUsage {
    const { idleCount: idle, totalCount } = this;
    const waiting = this.#queue.countWaiting();
    return { idle, inUse: totalCount - idle, most: this.options.max, waiting, wait: this.#queue.measureWait() };
  }

  /** Throws DatabaseUnavailable while the database cannot be used. */
  override connect(): Promise<PoolClient>;
  override connect(lend: Lend): void;
  override connect(lend?: Lend): Promise<PoolClient> | void {
    const detour = poolOverride.getStore();
    if (detour?.open && detour.from === this) return lend ? detour.to.connect(lend) : detour.to.connect();
    const refusal = this.#findRefusal();
    if (!lend) return refusal ? Promise.reject(refusal) : this.#lend();
    if (refusal) return lend(refusal, undefined, () => {});
    this.#lendTogether(lend);
  }

  /**
   * Lends one connection for everything a request asks before it is available, so that a page's statements go out
   * together.
   */
  #lendTogether(lend: Lend) {
    const request = currentTimeBudget()?.request ?? {};
    const asked = this.#together.get(request) ?? [];
    if (asked.length > 0 && asked.length < MOST_TOGETHER) {
      asked.push(lend);
      return;
    }
    const lends = [lend];
    this.#together.set(request, lends);
    void this.#acquireSlot()
      .finally(() => this.#together.get(request) === lends && this.#together.delete(request))
      .then(
        (client) => share(client, lends),
        (error: unknown) => lends.forEach((each) => each(explain(error), undefined, () => {})),
      );
  }

  /**
   * Checks that the server accepts writes, even while the pool refuses work. Throws DatabaseReadOnly if it does not,
   * and DatabaseUnavailable if no answer comes within `limit` milliseconds.
   */
  async ping(limit: number): Promise<void> {
    this.#answer ??= this.#ask().finally(() => {
      this.#answer = undefined;
    });
    if (!(await endsWithin(limit, this.#answer))) throw new DatabaseUnavailable("The database does not answer.");
  }

  /** Ends the pool once every connection is returned, or after `limit` milliseconds without waiting for the rest. */
  async endWithin(limit: number): Promise<void> {
    await endsWithin(limit, this.end());
  }

  #findRefusal(): Error | undefined {
    // If transactions held every connection and each waited for one more, none could ever continue.
    if (currentTransaction.getStore()?.open) return new Error("Inside a transaction, query it and not the pool");
    const status = this.#status();
    return status.ok ? undefined : new DatabaseUnavailable(status.reason);
  }

  async #lend(): Promise<PoolClient> {
    const client = await this.#acquireSlot();
    const giveBack = client.release.bind(client);
    const drop = (error: Error) => {
      client.release = () => {};
      giveBack(error);
    };
    client.release = (error) => {
      client.off("error", drop);
      giveBack(error);
    };
    client.once("error", drop);
    return client;
  }

  /** Takes a connection when it is the caller's turn, for as long as the request can wait. */
  async #acquireSlot(): Promise<PoolClient> {
    const budget = currentTimeBudget();
    if (!budget) return this.#waitForSlot();
    if (budget.isOver) throw createTimeoutError();
    const tooLong = Promise.withResolvers<never>();
    let lent: PoolClient | undefined;
    const endWait = budget.wait(() => (lent ? cut(lent) : tooLong.reject(createTimeoutError())));
    const slot = this.#waitForSlot();
    try {
      lent = await Promise.race([slot, tooLong.promise]);
    } catch (error) {
      endWait();
      // The connection may still arrive later.
      void slot.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    }
    const giveBack = lent.release.bind(lent);
    lent.release = (error) => {
      endWait();
      giveBack(error);
    };
    return lent;
  }

  /** Takes a connection when it is the caller's turn. The turn ends when the connection is returned. */
  async #waitForSlot(): Promise<PoolClient> {
    const caller = currentCaller();
    const releaseSlot = await this.#queue.enter(caller, caller === BACKGROUND ? this.#background : undefined);
    try {
      const client = await this.#take();
      const giveBack = client.release.bind(client);
      client.release = (error) => {
        giveBack(error);
        releaseSlot();
      };
      return client;
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  async #ask() {
    const client = await this.#take();
    try {
      const { rows } = await client.query<{ isReadOnly: boolean }>(READ_ONLY_QUERY);
      if (rows[0]?.isReadOnly) throw new DatabaseReadOnly();
      client.release();
    } catch (error) {
      if (error instanceof DatabaseReadOnly) this.renew();
      client.release(true);
      throw error;
    }
  }

  async #take(): Promise<PoolClient> {
    try {
      for (;;) {
        const client = await super.connect();
        if (this.#current.has(client)) return client;
        client.release(true);
      }
    } catch (error) {
      throw explain(error);
    }
  }
}

/** Shares a connection. It goes back once every borrower is done, and is discarded if it failed one of them. */
function share(client: PoolClient, lends: Lend[]) {
  const giveBack = client.release.bind(client);
  let left = lends.length;
  let failure: Error | boolean | undefined;
  client.release = (error) => {
    failure ||= error;
    left -= 1;
    if (left === 0) giveBack(failure);
  };
  const { stream } = client.connection;
  stream.cork();
  for (const lend of lends)
    lend(undefined, client, (error) => client.release(error instanceof Error ? error : Boolean(error)));
  stream.uncork();
}

/** Cuts a connection in the middle of a statement. The server cancels the statement as soon as it notices. */
function cut({ connection }: PoolClient) {
  connection.stream.destroy(new Error("Connection terminated: it took too long to answer"));
}

/** Turns a failure to connect into DatabaseUnavailable. Other errors stay as they are. */
function explain(error: unknown): Error {
  if (findErrorCode(error) === TOO_MANY_CONNECTIONS)
    return new DatabaseUnavailable("The database has no connection left.", { cause: error });
  if (isUnreachable(error)) return new DatabaseUnavailable("The database cannot be reached.", { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
