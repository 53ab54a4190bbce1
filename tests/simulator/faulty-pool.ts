import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { currentTransaction } from "../../server/db/guarded-pool.ts";
import type { SimulatedClock } from "./clock.ts";
import type { Random } from "./random.ts";

/** Loses the connection with the nth query from now on: before it reaches the database, or with its response. */
type Cut = { queries: number; when: "before" | "after" };
export type Rewriting = (statement: string) => string;

export type Faults = ReturnType<typeof createFaults>;

/** Creates what goes wrong between the server and its database, as the seed decides. */
export function createFaults(clock: SimulatedClock) {
  return {
    cut: undefined as Cut | undefined,
    /** How long each query takes, in milliseconds; normally 0. */
    slowness: 0,
    /** Rewrites statements, for a planted defect. */
    rewrite: ((statement) => statement) as Rewriting,
    count: 0,
    /** Returns whether the connection is lost with this query, and when. */
    strike(isLast: boolean): Cut["when"] | undefined {
      clock.advance(this.slowness);
      if (!this.cut) return undefined;
      this.cut.queries -= 1;
      // Losing a response matters only if the work is done by then.
      if (this.cut.queries > 0 || (this.cut.when === "after" && !isLast)) return undefined;
      const { when } = this.cut;
      this.cut = undefined;
      this.count += 1;
      return when;
    },
    end() {
      this.cut = undefined;
      this.slowness = 0;
    },
  };
}

type Lend = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;
type Plain = { connect: () => Promise<PoolClient> };
type Query = (...given: unknown[]) => Promise<unknown>;

/** Queues the callers that wait for the single connection. The seed decides who is next, never the timing. */
function createGate(random: Random) {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  async function letIn() {
    // Until everybody who is ready to ask has asked.
    await nextTurn();
    await nextTurn();
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    const [next] = waiting.splice(random.below(waiting.length), 1);
    next?.();
  }
  function leave() {
    isBusy = false;
    void letIn();
  }
  async function enter(): Promise<() => void> {
    const turn = Promise.withResolvers<void>();
    waiting.push(turn.resolve);
    void letIn();
    await turn.promise;
    let isInside = true;
    return () => {
      if (isInside) leave();
      isInside = false;
    };
  }
  return { enter };
}

/** Makes a pool fail as the faults say. If there is only one connection, lets callers in as the seed decides. */
export function injectFaults(pool: Pool, faults: Faults, random: Random): void {
  const gate = pool.options.max === 1 ? createGate(random) : undefined;
  const plain: Plain = { connect: pool.connect.bind(pool) };

  async function connect(): Promise<PoolClient> {
    // Inside a transaction the pool refuses, so no turn is needed.
    const leave = (!currentTransaction.getStore()?.open && (await gate?.enter())) || (() => {});
    try {
      return lendFaulty(await plain.connect(), faults, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }
  function connectEither(lend?: Lend) {
    if (!lend) return connect();
    void connect().then(
      (client) => lend(undefined, client, (error) => client.release(error instanceof Error ? error : Boolean(error))),
      (error: Error) => lend(error, undefined, () => {}),
    );
    return undefined;
  }
  Object.assign(pool, { connect: connectEither });
}

/** The connections' original query functions. */
const plainQueries = new WeakMap<PoolClient, Query>();

function lendFaulty(client: PoolClient, faults: Faults, leave: () => void): PoolClient {
  const query: Query = plainQueries.get(client) ?? client.query.bind(client);
  plainQueries.set(client, query);
  const release = client.release.bind(client);
  let isInTransaction = false;

  async function ask(given: unknown[]): Promise<unknown> {
    const [first, ...rest] = given;
    const statement = typeof first === "string" ? first : (first as { text: string }).text;
    const verb = /^\s*(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? "";
    if (verb === "begin") isInTransaction = true;

    const strike = verb === "rollback" ? undefined : faults.strike(verb === "commit" || !isInTransaction);
    if (strike === "before") disconnect(client);
    const text = faults.rewrite(statement);
    // oxlint-disable-next-line typescript/no-misused-spread -- a query is a plain object
    const result = await query(typeof first === "string" ? text : { ...(first as object), text }, ...rest);
    if (strike !== "after") return result;
    disconnect(client);
    throw new Error("Connection terminated unexpectedly");
  }

  function askEither(...given: unknown[]) {
    const finish = typeof given.at(-1) === "function" ? (given.pop() as (...told: unknown[]) => void) : undefined;
    if (!finish) return ask(given);
    void ask(given).then(
      (result) => finish(undefined, result),
      (error: unknown) => finish(error),
    );
    return undefined;
  }
  function giveBack(error?: Error | boolean) {
    client.off("error", leave);
    release(error);
    leave();
  }
  // A caller that cannot begin a transaction does not release the connection: the pool drops it.
  client.once("error", leave);
  return Object.assign(client, { query: askEither, release: giveBack });
}

function disconnect(client: PoolClient) {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
