import { expect, test } from "vitest";
import { ApiError, readErrorResponse, toApiError, toNetworkError } from "./api-error.ts";

// The error catalogue of the product specification, section 8, row by row.

// specification: 3.58, 8.1
test.each([
  [
    { message: "Busy", error: "UNAVAILABLE", statusCode: 503 },
    { message: "Busy", code: "UNAVAILABLE", fromServer: true },
  ],
  [
    { message: "Busy", error: "UNAVAILABLE" },
    { message: "Busy", code: "UNAVAILABLE", fromServer: true },
  ],
  [{ message: "Busy" }, { message: "Busy", code: "API_ERROR", fromServer: true }],
  [{ error: "UNAVAILABLE" }, { message: "An error occurred", code: "UNAVAILABLE", fromServer: false }],
  [
    { message: "", error: "" },
    { message: "An error occurred", code: "API_ERROR", fromServer: false },
  ],
  [
    { message: null, error: null, statusCode: null },
    { message: "An error occurred", code: "API_ERROR", fromServer: false },
  ],
  [{}, { message: "An error occurred", code: "API_ERROR", fromServer: false }],
])("reads the message and the code of an error body: %j", async (body, expected) => {
  const error = await readErrorResponse(Response.json(body, { status: 418 }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ ...expected, status: 418, fields: undefined });
});

// specification: 8.2
test.each([
  ["no JSON", "<html>"],
  ["nothing", ""],
  ["null", "null"],
  ["a string", '"Busy"'],
  ["a list", "[]"],
  ["a message that is no text", '{"message":{"text":"Busy"}}'],
  ["a code that is no text", '{"message":"Busy","error":503}'],
  ["a status that is no number", '{"message":"Busy","error":"BUSY","statusCode":"503"}'],
])("reports a malformed error body as a validation error: %s", async (_, body) => {
  const error = await readErrorResponse(new Response(body, { status: 502 }));
  expect(error).toMatchObject({
    message: "Invalid error response format",
    code: "VALIDATION_ERROR",
    status: 502,
    fromServer: false,
  });
});

test("reports an error body that breaks off as malformed, too", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  expect(await readErrorResponse(new Response(body, { status: 500 }))).toMatchObject({
    code: "VALIDATION_ERROR",
    status: 500,
  });
});

test.each([
  ["120", 120],
  ["0", 0],
  ["999999", 86_400],
  ["Sat, 21 Nov 2026 04:00:00 GMT", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["", undefined],
])("reads Retry-After if it is a number of seconds: %j", async (value, retryAfter) => {
  const headers = { "Retry-After": value };
  const error = await readErrorResponse(Response.json({ message: "Busy" }, { status: 429, headers }));
  expect(error.retryAfter).toBe(retryAfter);
  expect((await readErrorResponse(new Response("<html>", { status: 503, headers }))).retryAfter).toBe(retryAfter);
});

const read = (fields: unknown) =>
  readErrorResponse(Response.json({ message: "No", error: "X", fields }, { status: 400 }));

test("reads the messages for fields only if they have the right shape", async () => {
  expect((await read({ email: ["Enter your email."] })).fields).toEqual({ email: ["Enter your email."] });
  expect((await read({ email: "Enter your email." })).fields).toBeUndefined();
  expect((await read([])).fields).toBeUndefined();
});

// specification: 8.3
test.each([
  [new TypeError("fetch failed"), "fetch failed"],
  [new Error(""), "Network error"],
  ["thrown text", "Network error"],
  [undefined, "Network error"],
])("reports a missing response as a network error: %s", (cause, message) => {
  expect(toNetworkError(cause)).toMatchObject({ message, code: "NETWORK_ERROR", status: 500, cause });
});

// specification: 8.4
test.each([new TypeError("x is undefined"), "text", undefined])(
  "reports anything else as an unknown error: %s",
  (thrown) => {
    const expected = {
      message: "Something went wrong, please try again!",
      code: "UNKNOWN_ERROR",
      status: 500,
      cause: thrown,
    };
    expect(toApiError(thrown)).toMatchObject(expected);
  },
);

test("returns an ApiError unchanged", () => {
  const error = new ApiError("Busy", "UNAVAILABLE", 503);
  expect(toApiError(error)).toBe(error);
});
