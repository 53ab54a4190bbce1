import type { Client, Pool, PoolClient, QueryResult } from "pg";
import type { Logger } from "../log/log.ts";
import { poolOverride, type GuardedPool } from "./guarded-pool.ts";
import { withShorterTimeLimit, withTimeLimit, waitForShared } from "./time-budget.ts";
import { createServerPool } from "./postgres.ts";
import { createClient, detectServerTraits, openClient, writesIsoTimes } from "./prepare-server.ts";
import { ReplicaLag } from "./replica-lag.ts";
import { PRIMARY_QUERY, REPLICA_QUERY, findObstacle, PrimaryState, ReplicaState, toNumber } from "./replica-state.ts";
import { CONNECT_TIMEOUT_MS, POOL_CLOSE_TIMEOUT_MS } from "./time-limits.ts";
import { DatabaseUnavailable, type Status } from "./unavailable.ts";

/** All times are in milliseconds. */
type Rules = {
  /** Between two checks of its progress. */
  every: number;
  /** How far it may be behind. Beyond that, it is not used. */
  mostLag: number;
  /** For connecting, for asking about its progress, and for everything that one call reads there. */
  connectLimit: number;
  queryLimit: number;
  readLimit: number;
};

const RULES: Rules = {
  every: 1_000,
  mostLag: 5_000,
  connectLimit: CONNECT_TIMEOUT_MS,
  queryLimit: 250,
  readLimit: 500,
};
/** How long the primary may take to report its position, in milliseconds. */
const PRIMARY_LIMIT = 1_000;

const STRAYED =
  "It is ahead of the primary: it follows another log, for example from before a restore. Set it up again.";

type Options = { primary: Pool; poolSize?: number | undefined; log: Logger; rules?: Rules };

/**
 * A replica of the database that can serve reads (docs/decisions/0068). It may be away, behind, or a replica of
 * something else at any time. A background check finds out, and no request waits for it.
 */
export class Replica {
  readonly #url: string;
  readonly #primary: Pool;
  readonly #poolSize: number | undefined;
  readonly #log: Logger;
  readonly #rules: Rules;
  readonly #lag = new ReplicaLag();
  #status: Status = { ok: false, reason: "It has not answered yet." };
  #wasOk = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** A separate connection for asking about progress, which never has to wait for a free one. */
  #client: Client | undefined;
  #refreshing: Promise<void> | undefined;
  #pool: GuardedPool | undefined;
  #origin = "";
  #upSince = "";
  #position = 0n;
  /** Start time of a replica that was found ahead of the primary. It is not used until it restarts. */
  #strayedSince = "";
  /** Whether a read failed since the last check. */
  #isDoubted = false;

  constructor(url: string, { primary, poolSize, log, rules = RULES }: Options) {
    this.#url = url;
    this.#primary = primary;
    this.#poolSize = poolSize;
    this.#log = log;
    this.#rules = rules;
    void this.#check();
  }

  /** Whether it is considered for reads at all. Costs nothing. */
  get status(): Status {
    if (!this.#status.ok || this.lag <= this.#rules.mostLag) return this.#status;
    return { ok: false, reason: "It is too far behind." };
  }

  /** How far it is behind at most, in milliseconds. Infinity while that is unknown. */
  get lag(): number {
    return this.#lag.milliseconds;
  }

  /**
   * Whether it has everything that was committed before a position of the primary. Asks the replica if that is not
   * known yet.
   */
  async has(position: string): Promise<"there" | "behind" | "away"> {
    const wanted = toNumber(position);
    if (!this.status.ok) return "away";
    // If this fails, the status says so.
    if (this.#isDoubted || wanted > this.#position) await this.#refresh().catch(() => {});
    if (!this.status.ok) return "away";
    return wanted <= this.#position ? "there" : "behind";
  }

  /**
   * Runs work with its queries sent to the replica instead of the primary. Throws any error early enough to retry on
   * the primary.
   */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#pool) throw new DatabaseUnavailable("The replica has not answered yet.");
    const detour = { from: this.#primary, to: this.#pool, open: true };
    try {
      // Awaited in here, because awaiting is what sends a query that `work` returns unsent.
      return await withShorterTimeLimit(this.#rules.readLimit, () =>
        poolOverride.run(detour, async () => await work()),
      );
    } catch (error) {
      this.#isDoubted = true;
      throw error;
    } finally {
      detour.open = false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#drop("It is closed.");
    await this.#pool?.endWithin(POOL_CLOSE_TIMEOUT_MS);
  }

  async #check() {
    await this.#queryPrimary().catch((err: unknown) =>
      this.#log.debug({ err }, "The primary does not say how far it is"),
    );
    await this.#refresh().catch((err: unknown) => this.#log.debug({ err }, "The replica does not say how far it is"));
    if (this.#isClosed) return;
    const { status } = this;
    if (this.#wasOk && !status.ok) this.#log.warn({ reason: status.reason }, "Reads no longer come from the replica");
    if (!this.#wasOk && status.ok) this.#log.info("Reads come from the replica");
    this.#wasOk = status.ok;
    this.#timer = setTimeout(() => void this.#check(), this.#rules.every).unref();
  }

  async #queryPrimary() {
    // Read before asking the primary, so that a healthy replica can never appear ahead of it.
    const [at, reached, upSince] = [performance.now(), this.#position, this.#upSince];
    const { rows } = await withTimeLimit(PRIMARY_LIMIT, () => this.#primary.query(PRIMARY_QUERY));
    const { origin, position } = PrimaryState.parse(rows[0]);
    if (reached > toNumber(position)) this.#strayedSince = upSince;
    this.#origin = origin;
    this.#lag.note(toNumber(position), at);
  }

  /** Shares one question among everybody who asks at once. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#queryReplica().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #queryReplica() {
    try {
      const client =
        this.#client ?? (await withTimeLimit(this.#rules.connectLimit, () => waitForShared(this.#connect())));
      const { rows } = await withTimeLimit(this.#rules.queryLimit, () => waitForShared(client.query(REPLICA_QUERY)));
      this.#note(ReplicaState.parse(rows[0]));
    } catch (error) {
      this.#drop(error instanceof DatabaseUnavailable ? error.message : "It cannot be reached.");
      throw error;
    }
  }

  async #connect(): Promise<Client> {
    if (this.#isClosed) throw new DatabaseUnavailable("It is closed.");
    const client = createClient(this.#url);
    this.#client = client;
    client.on("error", () => client === this.#client && this.#drop("It cannot be reached."));
    const server = await openClient(client);
    if (!writesIsoTimes(server)) throw new DatabaseUnavailable("Its DateStyle is not ISO: times would be misread.");
    const traits = await detectServerTraits(client, server);
    // A connection that was discarded meanwhile says nothing about the server.
    if (client !== this.#client) throw new DatabaseUnavailable("It cannot be reached.");
    this.#pool ??= createServerPool(this.#url, {
      traits,
      poolSize: this.#poolSize,
      verify: (pooled, done) => this.#verify(pooled, done),
      status: () => this.#status,
      log: this.#log,
    });
    return client;
  }

  #note(state: ReplicaState) {
    const obstacle = findObstacle(state, this.#origin);
    if (obstacle) throw new DatabaseUnavailable(obstacle);
    if (state.upSince === this.#strayedSince) throw new DatabaseUnavailable(STRAYED);
    if (state.upSince !== this.#upSince) {
      this.#upSince = state.upSince;
      this.#lag.forget();
      this.#pool?.renew();
    }
    this.#position = toNumber(state.position ?? "0/0");
    this.#lag.reach(this.#position);
    this.#isDoubted = false;
    if (!this.#isClosed) this.#status = { ok: true };
  }

  /** Checks a new connection: the name may now lead to another server, which may be further behind. */
  #verify(client: PoolClient, done: (error?: Error) => void) {
    client.query(LIMITED, (error: Error | null, result?: QueryResult) => {
      const state = ReplicaState.safeParse(result?.rows[0]);
      const isSame = state.success && state.data.upSince === this.#upSince;
      done(error ?? (isSame ? undefined : new DatabaseUnavailable("The replica is another one than before.")));
    });
  }

  #drop(reason: string) {
    this.#status = { ok: false, reason };
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
  }
}

/**
 * The client enforces `query_timeout`, which is missing from the types. It ends a check that nobody waits for any more.
 */
const LIMITED = { text: REPLICA_QUERY, query_timeout: CONNECT_TIMEOUT_MS };
