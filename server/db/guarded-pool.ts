import { AsyncLocalStorage } from "node:async_hooks";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { endsWithin } from "../ends-within.ts";
import { BACKGROUND, currentCaller } from "../fair-share/caller.ts";
import { createFairQueue, type FairQueue } from "../fair-share/fair-queue.ts";
import type { Logger } from "../log/log.ts";
import { currentPatience, describeImpatience } from "./patience.ts";
import { traceQueries } from "./trace-queries.ts";
import {
  CallerHasTooMuch,
  DatabaseReadOnly,
  DatabaseUnavailable,
  findErrorCode,
  isUnreachable,
  TOO_MANY_CONNECTIONS,
  type Status,
} from "./unavailable.ts";

type Lend = (error: Error | undefined, client: PoolClient | undefined, giveBack: (error?: unknown) => void) => void;

/**
 * The transaction that the current code runs in; `open` until it ends, also for what it left running. `next` is done
 * once it is committed, `unlimited` is the set of that name of its pool.
 */
export const currentTransaction = new AsyncLocalStorage<{
  open: boolean;
  next: Set<() => void>;
  unlimited: Set<object>;
}>();

/** The pool that the current code's queries go to in place of another one, for as long as it is `open`. */
export const currentDetour = new AsyncLocalStorage<{ from: Pool; to: GuardedPool; open: boolean }>();

export type PoolUsage = {
  idle: number;
  inUse: number;
  most: number;
  waiting: number;
  /** Milliseconds that whoever is next has waited, as whoever comes now will. */
  wait: number;
};

/** Queries of one caller that may wait: many people, or their nodes, may share an address. */
const WAITING = 1000;
/** Statements that go out together on one connection: a page has six at most. */
const MOST_TOGETHER = 8;

/** Also true of a replica, which becomes writable when it takes over. */
const ASK_WHETHER_READ_ONLY = `select current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/**
 * A connection pool that fails fast and heals: it refuses work while the database is not available, drops a lost
 * connection even when its borrower never gives it back, and does not let one lost while idle end the process.
 * Callers take turns, and one of them has half of several connections at most (docs/decisions/0022).
 */
export class GuardedPool extends Pool {
  /** The transactions whose statements may take as long as they need. */
  readonly unlimited = new Set<object>();
  readonly #status: () => Status;
  readonly #turns: FairQueue;
  /** What the server does by itself takes its turn like one caller, and leaves a connection to the others. */
  readonly #background: { perCaller: number; waiting: number };
  #answer: Promise<void> | undefined;
  /** What each request asks for and has no connection for yet. */
  readonly #together = new Map<object, Lend[]>();
  /** Those that were opened since the pool was last renewed. */
  #current = new WeakSet<PoolClient>();

  constructor(config: PoolConfig, status: () => Status, log: Logger) {
    super(config);
    this.#status = status;
    const { connectionTimeoutMillis: patience, max: atOnce } = this.options;
    this.#background = { perCaller: Math.max(1, atOnce - 1), waiting: Infinity };
    this.#turns = createFairQueue({
      atOnce,
      perCaller: Math.ceil(atOnce / 2),
      waiting: WAITING,
      ...(patience && { patience }),
      refuse: (reason) =>
        reason === "full" ? new CallerHasTooMuch() : new DatabaseUnavailable("No connection became free in time."),
    });
    const note = (error: Error) => log.debug({ err: error }, "Lost a database connection");
    this.on("error", note);
    this.on("connect", (client) => {
      client.on("error", note);
      this.#current.add(client);
    });
    this.on("connect", traceQueries);
  }

  /** Lets go of every connection, once it is given back: what they lead to is not what it was. */
  renew(): void {
    this.#current = new WeakSet();
  }

  /** Its connections, and how many callers wait for one of them. */
  get usage(): PoolUsage {
    const { idleCount: idle, totalCount } = this;
    const waiting = this.#turns.countWaiting();
    return { idle, inUse: totalCount - idle, most: this.options.max, waiting, wait: this.#turns.measureWait() };
  }

  /** Throws DatabaseUnavailable while the database cannot be used. */
  override connect(): Promise<PoolClient>;
  override connect(lend: Lend): void;
  override connect(lend?: Lend): Promise<PoolClient> | void {
    const detour = currentDetour.getStore();
    if (detour?.open && detour.from === this) return lend ? detour.to.connect(lend) : detour.to.connect();
    const refusal = this.#findRefusal();
    if (!lend) return refusal ? Promise.reject(refusal) : this.#lend();
    if (refusal) return lend(refusal, undefined, () => {});
    this.#lendTogether(lend);
  }

  /** Lends one connection for all that a request asks until it is there: a page's statements go out in one piece. */
  #lendTogether(lend: Lend) {
    const request = currentPatience()?.request ?? {};
    const asked = this.#together.get(request) ?? [];
    if (asked.length > 0 && asked.length < MOST_TOGETHER) {
      asked.push(lend);
      return;
    }
    const lends = [lend];
    this.#together.set(request, lends);
    void this.#takeTurn()
      .finally(() => this.#together.get(request) === lends && this.#together.delete(request))
      .then(
        (client) => share(client, lends),
        (error: unknown) => lends.forEach((each) => each(explain(error), undefined, () => {})),
      );
  }

  /**
   * Asks the server whether it can be written, past the refusal. Throws DatabaseReadOnly when it cannot, and otherwise
   * when no answer comes within `limit` milliseconds.
   */
  async ping(limit: number): Promise<void> {
    this.#answer ??= this.#ask().finally(() => {
      this.#answer = undefined;
    });
    if (!(await endsWithin(limit, this.#answer))) throw new DatabaseUnavailable("The database does not answer.");
  }

  /** Ends the pool once every connection is given back, or after `limit` milliseconds without those that are not. */
  async endWithin(limit: number): Promise<void> {
    await endsWithin(limit, this.end());
  }

  #findRefusal(): Error | undefined {
    // With every connection taken by transactions that wait for one more, nothing would move again.
    if (currentTransaction.getStore()?.open) return new Error("Inside a transaction, query it and not the pool");
    const status = this.#status();
    return status.ok ? undefined : new DatabaseUnavailable(status.reason);
  }

  async #lend(): Promise<PoolClient> {
    const client = await this.#takeTurn();
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

  /** A connection when it is the caller's turn, for as long as whoever waits for an answer has patience. */
  async #takeTurn(): Promise<PoolClient> {
    const patience = currentPatience();
    if (!patience) return this.#waitForTurn();
    if (patience.isOver) throw describeImpatience();
    const tooLong = Promise.withResolvers<never>();
    let lent: PoolClient | undefined;
    const endWait = patience.wait(() => (lent ? cut(lent) : tooLong.reject(describeImpatience())));
    const turn = this.#waitForTurn();
    try {
      lent = await Promise.race([turn, tooLong.promise]);
    } catch (error) {
      endWait();
      // It may come after all.
      void turn.then(
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

  /** A connection when it is the caller's turn, which ends when it comes back. */
  async #waitForTurn(): Promise<PoolClient> {
    const caller = currentCaller();
    const endTurn = await this.#turns.enter(caller, caller === BACKGROUND ? this.#background : undefined);
    try {
      const client = await this.#take();
      const giveBack = client.release.bind(client);
      client.release = (error) => {
        giveBack(error);
        endTurn();
      };
      return client;
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  async #ask() {
    const client = await this.#take();
    try {
      const { rows } = await client.query<{ isReadOnly: boolean }>(ASK_WHETHER_READ_ONLY);
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

/** It comes back once everybody is done with it, and is dropped when it failed one of them. */
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

/** Ends a connection in the middle of what it does: the server cancels that as soon as it notices. */
function cut({ connection }: PoolClient) {
  connection.stream.destroy(new Error("Connection terminated: it took too long to answer"));
}

/** A connection that could not be had means the same whatever stood in the way. */
function explain(error: unknown): Error {
  if (findErrorCode(error) === TOO_MANY_CONNECTIONS)
    return new DatabaseUnavailable("The database has no connection left.", { cause: error });
  if (isUnreachable(error)) return new DatabaseUnavailable("The database cannot be reached.", { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
