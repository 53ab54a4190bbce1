/** PostgreSQL's own time limits, in milliseconds: for a statement, and between two statements of a transaction. */
export const STATEMENT_LIMIT = 30_000;
export const IDLE_IN_TRANSACTION_LIMIT = 60_000;
/** How long to wait for borrowed connections when closing, in milliseconds. */
export const RETURN_LIMIT = 5_000;
/** How long to wait for a connection, in milliseconds. */
export const CONNECT_LIMIT = 5_000;
/**
 * How long a member's request waits for the database in total, in milliseconds, so that it is answered within two
 * seconds.
 */
export const ANSWER_LIMIT = 1_500;
