import { DrizzleQueryError } from "drizzle-orm/errors";
import { StartError } from "../start-error.ts";

/**
 * Whether the database can be used, for a middleware to check before it lets a request in. `reason` is a sentence
 * without secrets or paths. `isReadOnly` is set if the database answers but accepts no writes.
 */
export type Status = { ok: true } | { ok: false; reason: string; isReadOnly?: true };

/** The database cannot answer right now. Respond with 503: retrying later makes sense, and no restart is needed. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** The database can answer, but one caller already has as many queries waiting as allowed. */
export class CallerQueueFull extends DatabaseUnavailable {
  override name = "CallerQueueFull";

  constructor() {
    super("Too much of one caller waits for the database.");
  }
}

/** The database answers but accepts no writes: it is a replica, or was set to read-only. */
export class DatabaseReadOnly extends DatabaseUnavailable {
  override name = "DatabaseReadOnly";

  constructor() {
    super("The database can only be read: it is a replica, or was set to read-only.");
  }
}

/** The database cannot be opened at all. */
export class DatabaseCannotOpen extends StartError {
  override name = "DatabaseCannotOpen";
}

/** Another process has the embedded database. */
export class DatabaseInUse extends DatabaseCannotOpen {
  override name = "DatabaseInUse";
}

/**
 * PostgreSQL's codes for a write while read-only, a role without permission, one connection too many, and a statement
 * that waited for a lock as long as `lock_timeout` allows.
 */
export const READ_ONLY = "25006";
export const INSUFFICIENT_PRIVILEGE = "42501";
export const TOO_MANY_CONNECTIONS = "53300";
export const LOCK_NOT_AVAILABLE = "55P03";

/** SQLSTATE classes and codes that are about the server's state rather than the statement. */
const SERVER_STATES = [
  /^08/, // connection
  /^53/, // out of connections, memory or disk
  /^57P/, // shutting down, starting up
  /^58/, // input and output
  "57014", // statement timeout
  LOCK_NOT_AVAILABLE, // lock timeout, which an operator may set
  "25P03", // idle too long in a transaction
  "25P04", // transaction timeout, which an operator may set
  READ_ONLY,
  "40001", // still losing to others after the last retry
  "40P01",
];

/** Messages of `pg` without a code, when a connection is lost or none becomes free in time. */
const LOST_CONNECTION =
  /^Connection terminated|^Client (has encountered a connection error|was closed) and is not queryable|^timeout exceeded when trying to connect|^Query read timeout/;

/** Socket errors of the operating system. They count only inside a query, because other calls use sockets too. */
const SOCKET_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);

/** Whether an error, or any of its causes, means that the database could not answer: a 503, not a bug. */
export function isDatabaseUnavailable(error: unknown): boolean {
  let inQuery = false;
  for (const cause of listCauses(error)) {
    if (cause instanceof DatabaseUnavailable || LOST_CONNECTION.test(cause.message)) return true;
    inQuery ||= cause instanceof DrizzleQueryError;
    const code = readCode(cause);
    if (code && ((inQuery && SOCKET_ERRORS.has(code)) || isServerState(code))) return true;
  }
  return false;
}

/** Whether an error is about the caller and not about the database. */
export const isCallerQueueFull = (error: unknown): boolean =>
  listCauses(error).some((cause) => cause instanceof CallerQueueFull);

/** Returns the SQLSTATE or system error code of an error or its causes. */
export function findErrorCode(error: unknown): string | undefined {
  return listCauses(error)
    .map(readCode)
    .find((code) => code !== undefined);
}

/** Codes for when `lock_timeout` expires, and for a deadlock. */
const LOCKED_OUT = new Set([LOCK_NOT_AVAILABLE, "40P01"]);

/** Whether a statement failed because others held a lock that it needed for too long. */
export const isLockedOut = (error: unknown): boolean => LOCKED_OUT.has(findErrorCode(error) ?? "");

const UNIQUE_VIOLATION = "23505";

/** Whether an error is the violation of a unique key. */
export const isUniqueViolation = (error: unknown): boolean => findErrorCode(error) === UNIQUE_VIOLATION;

/**
 * Whether connecting failed in a way that is worth a retry at startup: nobody answers at the address, the server is
 * starting or stopping or has no connection left, or a pooler has no connection to it (08P01).
 */
export function isUnreachable(error: unknown): boolean {
  const code = findErrorCode(error);
  if (!code) return listCauses(error).some(({ message }) => LOST_CONNECTION.test(message));
  if (SOCKET_ERRORS.has(code) || ["ENOENT", "EAI_AGAIN", "ENOTFOUND"].includes(code)) return true;
  return code === TOO_MANY_CONNECTIONS || /^(08|57P0[123])/.test(code);
}

/** Lists an error, its cause, the cause of that, and so on. */
export function listCauses(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && !causes.includes(cause); cause = cause.cause) causes.push(cause);
  return causes;
}

function readCode(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function isServerState(code: string): boolean {
  return SERVER_STATES.some((state) => (typeof state === "string" ? state === code : state.test(code)));
}
