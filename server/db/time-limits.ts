/** PostgreSQL's own time limits, in milliseconds: for a statement, and between two statements of a transaction. */
export const STATEMENT_TIMEOUT_MS = 30_000;
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** How long to wait for borrowed connections when closing, in milliseconds. */
export const POOL_CLOSE_TIMEOUT_MS = 5_000;
/** How long to wait for a connection, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 5_000;
/**
 * How long a member's request waits for the database in total, in milliseconds, so that it is answered within two
 * seconds.
 */
export const REQUEST_TIMEOUT_MS = 1_500;
