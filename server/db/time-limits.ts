/** Milliseconds, as PostgreSQL counts them: for a statement, and between the statements of a transaction. */
export const STATEMENT_LIMIT = 30_000;
export const IDLE_IN_TRANSACTION_LIMIT = 60_000;
/** How long borrowed connections may take to come back at the end, in milliseconds. */
export const RETURN_LIMIT = 5_000;
/** How long one may wait for a connection, in milliseconds. */
export const CONNECT_LIMIT = 5_000;
/**
 * How long a request of a member's waits for the database in all, in milliseconds: they hear something within two
 * seconds.
 */
export const ANSWER_LIMIT = 1_500;
