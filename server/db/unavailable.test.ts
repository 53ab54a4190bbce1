import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import {
  CallerQueueFull,
  DatabaseUnavailable,
  isCallerQueueFull,
  isDatabaseUnavailable,
  isUnreachable,
} from "./unavailable.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });
const inQuery = (cause: Error) => new DrizzleQueryError("select 1", [], cause);

test.each([
  ["our own refusal", new DatabaseUnavailable("The disk is full.")],
  ["a refusal inside a query", inQuery(new DatabaseUnavailable("The disk is full."))],
  ["a connection that was lost", inQuery(new Error("Connection terminated unexpectedly"))],
  ["no free connection in time", new Error("timeout exceeded when trying to connect")],
  ["a server that shuts down", inQuery(withCode("57P01"))],
  ["too many connections", withCode("53300")],
  ["a full disk", inQuery(withCode("53100"))],
  ["a statement that took too long", inQuery(withCode("57014"))],
  ["a transaction that took too long", inQuery(withCode("25P04"))],
  ["a lock that others had for too long", inQuery(withCode("55P03"))],
  ["a write to a database that takes none", inQuery(withCode("25006"))],
  ["a socket that broke in a query", inQuery(withCode("ECONNRESET"))],
  ["a transaction that kept losing", inQuery(withCode("40001"))],
  ["one of two that waited for each other", inQuery(withCode("40P01"))],
  ["a connection that failed", inQuery(withCode("08006"))],
  ["a disk that cannot be read", inQuery(withCode("58030"))],
  ["a transaction that was left alone for too long", inQuery(withCode("25P03"))],
  ["a client that was closed", inQuery(new Error("Client was closed and is not queryable"))],
  ["an answer that did not come", inQuery(new Error("Query read timeout"))],
])("%s counts as an unavailable database", (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  ["a unique key", inQuery(withCode("23505"))],
  ["a syntax error", inQuery(withCode("42601"))],
  ["a socket of something else", withCode("ECONNREFUSED")],
  ["a plain error", new Error("Connection of ideas")],
  ["not an error", "57P01"],
])("%s does not count as an unavailable database", (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
});

test("an error that is its own cause does not hang", () => {
  const error = new Error("round");
  error.cause = error;
  expect(isDatabaseUnavailable(error)).toBe(false);
});

test("a start is worth retrying if the server cannot be reached, but not if it refuses", () => {
  const reached = ["28P01", "3D000", "42501", "57014", "EACCES"].map(withCode);
  const codes = ["ECONNREFUSED", "ENOENT", "EAI_AGAIN", "ENOTFOUND", "53300", "08P01", "57P01", "57P03"];
  const unreached = [...codes.map(withCode), new Error("Connection terminated unexpectedly")];
  expect(reached.map(isUnreachable)).toEqual(reached.map(() => false));
  expect(unreached.map(isUnreachable)).toEqual(unreached.map(() => true));
});

test("a caller with too many queued queries is told apart from an unavailable database", () => {
  expect(isCallerQueueFull(inQuery(new CallerQueueFull()))).toBe(true);
  expect(isCallerQueueFull(inQuery(new DatabaseUnavailable("The disk is full.")))).toBe(false);
});
