import type { Logger } from "../log/log.ts";
import type { GuardedPool } from "./guarded-pool.ts";
import type { ServerTraits } from "./prepare-server.ts";
import { DatabaseReadOnly, findErrorCode, TOO_MANY_CONNECTIONS, type Status } from "./unavailable.ts";

type Found = {
  /** Whether requests are let in. */
  status: Status;
  /** Whether the database can do everything that is asked of it. */
  readiness: Status;
};

/** Time between two checks, in milliseconds: while the server answers, and while it does not. */
const CALM = 5_000;
const EAGER = 500;
/** How long the server may take to answer, in milliseconds. */
const PING_LIMIT = 3_000;

const FINE = both({ ok: true });
/** The server answers, so reads continue. */
const ONLY_READS: Found = {
  ...FINE,
  readiness: { ok: false, reason: new DatabaseReadOnly().message, isReadOnly: true },
};

/** Keeps track of whether a PostgreSQL server answers, so that no request has to wait to find out that it does not. */
export class ServerWatch {
  readonly #log: Logger;
  #found: Found;
  #timer: NodeJS.Timeout | undefined;
  #heardAt = performance.now();

  constructor(log: Logger, { isReadOnly }: Pick<ServerTraits, "isReadOnly">) {
    this.#log = log;
    this.#found = isReadOnly ? ONLY_READS : FINE;
  }

  get status(): Status {
    return this.#found.status;
  }

  get readiness(): Status {
    return this.#found.readiness;
  }

  /** Records that the server sent something, on any connection. */
  hear(): void {
    this.#heardAt = performance.now();
  }

  start(pool: GuardedPool): void {
    this.#timer = setTimeout(() => void this.#check(pool), this.status.ok ? CALM : EAGER).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#found = both({ ok: false, reason: "The database is closed." });
  }

  async #check(pool: GuardedPool) {
    const found = await check(pool, () => performance.now() - this.#heardAt < PING_LIMIT);
    if (!this.#timer) return;
    const { status } = found;
    if (this.status.ok && !status.ok) this.#log.error({ reason: status.reason }, "PostgreSQL does not answer");
    if (!this.status.ok && status.ok) this.#log.info("PostgreSQL answers again");
    this.#found = found;
    this.start(pool);
  }
}

async function check(pool: GuardedPool, hasSpoken: () => boolean): Promise<Found> {
  try {
    await pool.ping(PING_LIMIT);
    return FINE;
  } catch (error) {
    if (error instanceof DatabaseReadOnly) return ONLY_READS;
    // The connections that exist still get answers. If there are none, requests are let in and try to open one.
    if (error instanceof Error && findErrorCode(error) === TOO_MANY_CONNECTIONS)
      return pool.totalCount > 0 ? FINE : { ...FINE, readiness: { ok: false, reason: error.message } };
    // With every connection busy, the ping waited in line. If others get answers, that is load and not an outage.
    const isFull = pool.idleCount === 0 && pool.totalCount === pool.options.max;
    return isFull && hasSpoken() ? FINE : both({ ok: false, reason: "The database cannot be reached." });
  }
}

function both(status: Status): Found {
  return { status, readiness: status };
}
