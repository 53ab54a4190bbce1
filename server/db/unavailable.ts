import { DrizzleQueryError } from "drizzle-orm/errors";
import { StartError } from "../start-error.ts";

/**
 * What a middleware can ask before it lets a request in. `reason` is a sentence without secrets or paths; read-only
 * where it answers, but takes no writes.
 */
export type Status = { ok: true } | { ok: false; reason: string; isReadOnly?: true };

/** The database cannot answer just now. Answer 503: trying again later makes sense, and needs no restart. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** It can answer, but one caller has as much waiting for it as they may. */
export class CallerHasTooMuch extends DatabaseUnavailable {
  override name = "CallerHasTooMuch";

  constructor() {
    super("Too much of one caller waits for the database.");
  }
}

/** It answers, but takes no writes: a replica, or one that was told so. */
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

/**
 * What PostgreSQL answers to a write while it is read-only, to a role without permission, to one connection too many,
 * and to a statement that has waited for a lock for as long as `lock_timeout` says.
 */
export const READ_ONLY = "25006";
export const NOT_ALLOWED = "42501";
export const TOO_MANY_CONNECTIONS = "53300";
export const NOT_AVAILABLE = "55P03";

/** Classes and codes of SQLSTATE that speak of the server's state and not of the statement. */
const SERVER_STATES = [
  /^08/, // connection
  /^53/, // out of connections, memory or disk
  /^57P/, // shutting down, starting up
  /^58/, // input and output
  "57014", // statement time-out
  NOT_AVAILABLE, // lock time-out, which an operator may set
  "25P03", // idle too long in a transaction
  "25P04", // transaction time-out, likewise
  READ_ONLY,
  "40001", // still losing to others after the last retry
  "40P01",
];

/** What `pg` says without a code when a connection is lost, or none becomes free in time. */
const LOST_CONNECTION =
  /^Connection terminated|^Client (has encountered a connection error|was closed) and is not queryable|^timeout exceeded when trying to connect|^Query read timeout/;

/** What the system says of a socket: counts only inside a query, since other calls use sockets too. */
const SOCKET_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);

/** Whether an error, or what caused it, means that the database could not answer: a 503, not a bug. */
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

/** Whether it says something of the caller and nothing of the database. */
export const isCallersOwn = (error: unknown): boolean =>
  listCauses(error).some((cause) => cause instanceof CallerHasTooMuch);

/** The SQLSTATE, or the system's error code, of an error or of what caused it. */
export function findErrorCode(error: unknown): string | undefined {
  return listCauses(error)
    .map(readCode)
    .find((code) => code !== undefined);
}

/** What PostgreSQL says when `lock_timeout` is over, and to one of two that wait for each other. */
const LOCKED_OUT = new Set([NOT_AVAILABLE, "40P01"]);

/** Whether others had what a statement needs for longer than it waits for them. */
export const isLockedOut = (error: unknown): boolean => LOCKED_OUT.has(findErrorCode(error) ?? "");

const UNIQUE_VIOLATION = "23505";

/** Whether a unique key was taken. */
export const isUniqueViolation = (error: unknown): boolean => findErrorCode(error) === UNIQUE_VIOLATION;

/**
 * Whether nobody answered at the server's address, it is starting or stopping, has no connection left, or a pooler has
 * none to it (08P01): worth another try at start-up.
 */
export function isUnreachable(error: unknown): boolean {
  const code = findErrorCode(error);
  if (!code) return listCauses(error).some(({ message }) => LOST_CONNECTION.test(message));
  if (SOCKET_ERRORS.has(code) || ["ENOENT", "EAI_AGAIN", "ENOTFOUND"].includes(code)) return true;
  return code === TOO_MANY_CONNECTIONS || /^(08|57P0[123])/.test(code);
}

/** An error, what caused it, what caused that. */
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
