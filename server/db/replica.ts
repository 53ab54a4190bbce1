import type { Client, Pool, PoolClient, QueryResult } from "pg";
import type { Logger } from "../log/log.ts";
import { currentDetour, type GuardedPool } from "./guarded-pool.ts";
import { answerSooner, answerWithin, whileWaiting } from "./patience.ts";
import { createServerPool } from "./postgres.ts";
import { createClient, findNature, openClient, writesIsoTimes } from "./prepare-server.ts";
import { ReplicaLag } from "./replica-lag.ts";
import { ASK_PRIMARY, ASK_REPLICA, findObstacle, PrimaryState, ReplicaState, toNumber } from "./replica-state.ts";
import { CONNECT_LIMIT, RETURN_LIMIT } from "./time-limits.ts";
import { DatabaseUnavailable, type Status } from "./unavailable.ts";

/** Times in milliseconds. */
type Rules = {
  /** Between two looks at how far it is. */
  every: number;
  /** By which it may be behind: beyond it, it is left alone. */
  mostLag: number;
  /** For a connection to it, for its word of how far it is, and for all that one call reads there. */
  connectLimit: number;
  askLimit: number;
  readLimit: number;
};

const RULES: Rules = { every: 1_000, mostLag: 5_000, connectLimit: CONNECT_LIMIT, askLimit: 250, readLimit: 500 };
/** Milliseconds for the primary's word of how far that is. */
const PRIMARY_LIMIT = 1_000;

const STRAYED =
  "It is ahead of the primary: it follows another log, for example from before a restore. Set it up again.";

type Options = { primary: Pool; poolSize?: number | undefined; log: Logger; rules?: Rules };

/**
 * A replica of the database that reads may come from (docs/decisions/0068). It may be away, behind or somebody else's
 * at any time: this is looked at, and nobody waits for it.
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
  /** Who is asked how far it is: nobody waits in a line before it. */
  #client: Client | undefined;
  #asking: Promise<void> | undefined;
  #pool: GuardedPool | undefined;
  #origin = "";
  #upSince = "";
  #position = 0n;
  /** Since when a replica is up that was found ahead of the primary: it is not used until it starts anew. */
  #strayedSince = "";
  /** Whether something went wrong since it was asked. */
  #isDoubted = false;

  constructor(url: string, { primary, poolSize, log, rules = RULES }: Options) {
    this.#url = url;
    this.#primary = primary;
    this.#poolSize = poolSize;
    this.#log = log;
    this.#rules = rules;
    void this.#look();
  }

  /** Whether it is looked at for reads at all: costs nothing. */
  get status(): Status {
    if (!this.#status.ok || this.lag <= this.#rules.mostLag) return this.#status;
    return { ok: false, reason: "It is too far behind." };
  }

  /** Milliseconds by which it is behind at most; Infinity while that is not known. */
  get lag(): number {
    return this.#lag.milliseconds;
  }

  /**
   * Whether it has all that was committed before a position of the primary's. Where that is not known yet, it is asked.
   */
  async has(position: string): Promise<"there" | "behind" | "away"> {
    const wanted = toNumber(position);
    if (!this.status.ok) return "away";
    // What goes wrong stands in the status after that.
    if (this.#isDoubted || wanted > this.#position) await this.#ask().catch(() => {});
    if (!this.status.ok) return "away";
    return wanted <= this.#position ? "there" : "behind";
  }

  /**
   * Does work whose queries go to it in place of the primary. Throws whatever goes wrong, soon enough to ask the
   * primary.
   */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#pool) throw new DatabaseUnavailable("The replica has not answered yet.");
    const detour = { from: this.#primary, to: this.#pool, open: true };
    try {
      // Awaited in here: a query that `work` returns unsent is sent by whoever awaits it.
      return await answerSooner(this.#rules.readLimit, () => currentDetour.run(detour, async () => await work()));
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
    await this.#pool?.endWithin(RETURN_LIMIT);
  }

  async #look() {
    await this.#askPrimary().catch((err: unknown) =>
      this.#log.debug({ err }, "The primary does not say how far it is"),
    );
    await this.#ask().catch((err: unknown) => this.#log.debug({ err }, "The replica does not say how far it is"));
    if (this.#isClosed) return;
    const { status } = this;
    if (this.#wasOk && !status.ok) this.#log.warn({ reason: status.reason }, "Reads no longer come from the replica");
    if (!this.#wasOk && status.ok) this.#log.info("Reads come from the replica");
    this.#wasOk = status.ok;
    this.#timer = setTimeout(() => void this.#look(), this.#rules.every).unref();
  }

  async #askPrimary() {
    // Where it was before the primary is asked: a replica is never ahead of its primary.
    const [at, reached, upSince] = [performance.now(), this.#position, this.#upSince];
    const { rows } = await answerWithin(PRIMARY_LIMIT, () => this.#primary.query(ASK_PRIMARY));
    const { origin, position } = PrimaryState.parse(rows[0]);
    if (reached > toNumber(position)) this.#strayedSince = upSince;
    this.#origin = origin;
    this.#lag.note(toNumber(position), at);
  }

  /** For all who want to know at the same time. */
  #ask(): Promise<void> {
    this.#asking ??= this.#askNow().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #askNow() {
    try {
      const client =
        this.#client ?? (await answerWithin(this.#rules.connectLimit, () => whileWaiting(this.#connect())));
      const { rows } = await answerWithin(this.#rules.askLimit, () => whileWaiting(client.query(ASK_REPLICA)));
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
    const nature = await findNature(client, server);
    // One that was given up meanwhile has said nothing of the server.
    if (client !== this.#client) throw new DatabaseUnavailable("It cannot be reached.");
    this.#pool ??= createServerPool(this.#url, {
      nature,
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

  /** A name may lead to another server than before, which is not as far as the one that was asked. */
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

/** The limit is the client's own, which the types leave out: for whom nobody waits any more. */
const LIMITED = { text: ASK_REPLICA, query_timeout: CONNECT_LIMIT };
