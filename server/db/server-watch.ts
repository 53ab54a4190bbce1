import type { Logger } from "../log/log.ts";
import type { GuardedPool } from "./guarded-pool.ts";
import { DatabaseReadOnly, findErrorCode, TOO_MANY_CONNECTIONS, type Status } from "./unavailable.ts";

/** Milliseconds between two looks at the server: while it answers, and while it does not. */
const CALM = 5_000;
const EAGER = 500;
/** Milliseconds that it may take to answer. */
const PING_LIMIT = 3_000;

/** Knows whether a PostgreSQL server answers, so that nobody has to wait to find out that it does not. */
export class ServerWatch {
  readonly #log: Logger;
  #status: Status = { ok: true };
  #timer: NodeJS.Timeout | undefined;
  #heardAt = performance.now();

  constructor(log: Logger) {
    this.#log = log;
  }

  get status(): Status {
    return this.#status;
  }

  /** Something came from it, on whichever connection. */
  hear(): void {
    this.#heardAt = performance.now();
  }

  start(pool: GuardedPool): void {
    this.#timer = setTimeout(() => void this.#look(pool), this.#status.ok ? CALM : EAGER).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#status = { ok: false, reason: "The database is closed." };
  }

  async #look(pool: GuardedPool) {
    const status = await findStatus(pool, () => performance.now() - this.#heardAt < PING_LIMIT);
    if (!this.#timer) return;
    if (this.#status.ok && !status.ok) this.#log.error({ reason: status.reason }, "PostgreSQL does not answer");
    if (!this.#status.ok && status.ok) this.#log.info("PostgreSQL answers again");
    this.#status = status;
    this.start(pool);
  }
}

async function findStatus(pool: GuardedPool, hasSpoken: () => boolean): Promise<Status> {
  try {
    await pool.ping(PING_LIMIT);
    return { ok: true };
  } catch (error) {
    // It answers: reads and the connections that there are go on.
    if (error instanceof DatabaseReadOnly || findErrorCode(error) === TOO_MANY_CONNECTIONS) return { ok: true };
    // With every connection at work the ping waited in line: that is load, and not an outage, where others get answers.
    const isFull = pool.idleCount === 0 && pool.totalCount === pool.options.max;
    return isFull && hasSpoken() ? { ok: true } : { ok: false, reason: "The database cannot be reached." };
  }
}
