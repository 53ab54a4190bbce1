import { Client, type QueryConfig, type QueryResult } from "pg";
import { CONNECT_TIMEOUT_MS, IDLE_IN_TRANSACTION_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "./time-limits.ts";

const LIMITS = `set local statement_timeout = ${STATEMENT_TIMEOUT_MS}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`;

/** `query_timeout` is missing from the types. Beyond it the connection is discarded. */
const limited = (begin: string) => ({ text: `${begin}; ${LIMITS}`, query_timeout: CONNECT_TIMEOUT_MS });

type Answer = (error: unknown, result?: QueryResult) => void;

/**
 * A connection to a pooler, such as PgBouncer, that lends one of PostgreSQL's connections per transaction. Nothing may
 * remain on that connection: statements have no name, and each transaction sets its time limits. A single statement
 * becomes a transaction that is sent in one go (docs/decisions/0050).
 */
export class PoolerClient extends Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- the base class has an overload for each kind of call
  override query(asked: string | QueryConfig, ...rest: unknown[]): any {
    const { name: _, ...config } = typeof asked === "string" ? { text: asked } : asked;
    const values = rest.find((each): each is unknown[] => Array.isArray(each));
    const answer = rest.find((each): each is Answer => typeof each === "function");
    const result = this.#ask({ ...config, ...(values && { values }) });
    return answer ? void result.then((answered) => answer(null, answered), answer) : result;
  }

  async #ask(config: QueryConfig): Promise<QueryResult> {
    if (/^begin\b[^;]*$/i.test(config.text)) return super.query(limited(config.text));
    if (this.getTransactionStatus() !== "I") return super.query(config);
    // If the second one failed, the third one rolls back.
    const [begun, answered, ended] = await Promise.allSettled([
      super.query(limited("begin")),
      super.query(config),
      super.query("commit"),
    ]);
    if (begun.status === "rejected") throw begun.reason;
    if (answered.status === "rejected") throw answered.reason;
    if (ended.status === "rejected") throw ended.reason;
    return answered.value;
  }
}
