import { expect, test } from "vitest";
import { createAppUnderTest } from "../app-under-test.ts";

const { app } = createAppUnderTest();

test.each([
  ["a broken escape", "/%E0%A4%A", 400],
  ["an escape that is no UTF-8", "/caf%E9", 400],
  ["a NUL", "/auth%00", 400],
  ["an overlong address", `/${"a".repeat(9000)}`, 414],
  ["an overlong query", `/?q=${"a".repeat(9000)}`, 414],
  ["a broken escape in the query", "/auth?next=%E0%A4%A", 200],
  ["an encoded name", "/caf%C3%A9", 200],
  ["doubled slashes", "//auth//", 200],
])("%s", async (_, path, status) => {
  const response = await app.request(`http://localhost${path}`);
  expect(response.status).toBe(status);
  expect(response.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
});

test("under the API it is JSON", async () => {
  const response = await app.request("/api/%E0%A4%A");
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    message: "That address is not valid.",
    error: "BAD_REQUEST",
    statusCode: 400,
  });
});

test.each(["PROPFIND", "PURGE"])("%s is not a method of ours", async (method) => {
  const response = await app.request("/dashboard", { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("Allow")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
});
