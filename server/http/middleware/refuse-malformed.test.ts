import { expect, test } from "vitest";
import { createAppUnderTest } from "../../../tests/support/servers/app-under-test.ts";

const { app } = createAppUnderTest();

test.each([
  ["a broken escape", "/%E0%A4%A", 400],
  ["an escape that is no UTF-8", "/caf%E9", 400],
  ["a NUL", "/auth%00", 400],
  ["an overlong address", `/${"a".repeat(9000)}`, 414],
  ["an address of the maximum length", `/${"a".repeat(8192 - "http://localhost/".length)}`, 200],
  ["an address of one character over the maximum", `/${"a".repeat(8193 - "http://localhost/".length)}`, 414],
  ["an overlong query", `/?q=${"a".repeat(9000)}`, 414],
  ["a broken escape in the query", "/auth?next=%E0%A4%A", 200],
  ["an encoded name", "/caf%C3%A9", 200],
  ["doubled slashes", "//auth//", 200],
])("answers %s with its status and the security headers", async (_, path, status) => {
  const response = await app.request(`http://localhost${path}`);
  expect(response.status).toBe(status);
  expect(response.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
});

test.each([
  ["/api/%E0%A4%A", "GET", 400, "BAD_REQUEST", "That address is not valid."],
  [`/api/${"a".repeat(9000)}`, "GET", 414, "URI_TOO_LONG", "That address is too long."],
  ["/api/login", "PURGE", 405, "METHOD_NOT_ALLOWED", "That method is not allowed."],
])("rejects %s by %s as JSON under the API", async (path, method, statusCode, error, message) => {
  const response = await app.request(path, { method });
  expect(response.status).toBe(statusCode);
  expect(await response.json()).toEqual({ message, error, statusCode });
});

test.each(["PROPFIND", "PURGE"])("rejects the unknown method %s with 405 and the allowed methods", async (method) => {
  const response = await app.request("/dashboard", { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("Allow")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
});
