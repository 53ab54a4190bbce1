import { expect, test } from "vitest";
import { createAppUnderTest, html } from "./app-under-test.ts";

const pages = async (request: Request) => html(JSON.stringify(Object.fromEntries(await request.formData())));
const { app } = createAppUnderTest({ pages });

const multipart = new FormData();
multipart.set("name", "Ada");

test.each([
  ["a form of a page", new URLSearchParams({ name: "Ada" })],
  ["a form in parts", multipart],
])("%s reaches its action", async (_, body) => {
  const response = await app.request("/profile", { method: "POST", body });
  expect([response.status, await response.json()]).toEqual([200, { name: "Ada" }]);
});

test("a request without a body is an empty form", async () => {
  const response = await app.request("/auth/logout", { method: "POST" });
  expect([response.status, await response.json()]).toEqual([200, {}]);
});

test("broken escapes in a form are read as they are", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await app.request("/profile", { method: "POST", headers, body: "name=%E0%A4%A&%%%" });
  expect(response.status).toBe(200);
});

test.each([
  ["multipart/form-data; boundary=x", "garbage", 400],
  ["multipart/form-data", "garbage", 400],
  ["application/json", "{}", 415],
  ["text/plain", "name=Ada", 415],
])("%s with %s is refused with %i, not with a fault of ours", async (type, body, status) => {
  const response = await app.request("/profile", { method: "POST", headers: { "content-type": type }, body });
  expect(response.status).toBe(status);
});
