import { expect, test } from "vitest";
import { createAppUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";

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

test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("a page rejects %s with 405 and an Allow header", async (method) => {
  const { headers, status } = await app.request("/profile", { method, body: new URLSearchParams({ name: "Ada" }) });
  expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

test("ignores a space before the charset in a form's content type", async () => {
  const headers = { "content-type": "Application/x-www-form-urlencoded ;charset=utf-8" };
  const response = await app.request("/profile", { method: "POST", headers, body: "name=Ada" });
  expect([response.status, await response.json()]).toEqual([200, { name: "Ada" }]);
});

test("a request without a body is an empty form", async () => {
  const response = await app.request("/auth/logout", { method: "POST" });
  expect([response.status, await response.json()]).toEqual([200, {}]);
});

test("reads broken escapes in a form as they are", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await app.request("/profile", { method: "POST", headers, body: "name=%E0%A4%A&mail=%%%" });
  expect([response.status, Object.keys(await response.json())]).toEqual([200, ["name", "mail"]]);
});

test("reads invalid UTF-8 in a form as U+FFFD", async () => {
  const body = Buffer.concat([Buffer.from("name="), Buffer.from([0xff, 0xc3])]);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await app.request("/profile", { method: "POST", headers, body });
  expect([response.status, await response.json()]).toEqual([200, { name: "\uFFFD\uFFFD" }]);
});

test.each([
  ["multipart/form-data; boundary=x", "garbage", 400],
  ["multipart/form-data", "garbage", 400],
  ["application/json", "{}", 415],
  ["text/plain", "name=Ada", 415],
])("refuses %s with the body %s by answering %i, not 500", async (type, body, status) => {
  const response = await app.request("/profile", { method: "POST", headers: { "content-type": type }, body });
  expect(response.status).toBe(status);
});

const FORM = "application/x-www-form-urlencoded";
const PARTS = "multipart/form-data; boundary=x";
const pairs = (names: string[]) => names.map((name) => `${name}=v`).join("&");
const parts = (names: string[]) =>
  [...names.map((name) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nv\r\n`), "--x--\r\n"].join("");
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `field${index}`);

async function send(type: string, body: string) {
  const response = await app.request("/profile", { method: "POST", headers: { "content-type": type }, body });
  return { status: response.status, text: await response.text() };
}

test.each([
  ["in pairs", FORM, pairs],
  ["in parts", PARTS, parts],
])("a form %s may have at most 64 fields, whatever their names", async (_, type, encode) => {
  expect(Object.keys(JSON.parse((await send(type, encode(numbered(64)))).text))).toHaveLength(64);
  for (const names of [numbered(66), Array<string>(66).fill("same"), Array<string>(66).fill("")]) {
    expect(await send(type, encode(names))).toEqual({ status: 400, text: "Send at most 64 fields.\n" });
  }
});

// Some of these would take the form parser seconds, and the others would make it throw.
test.each(["email[9999999]", `deep${".b".repeat(9)}`, "__intent__", "__proto__", "x".repeat(65), ""])(
  "rejects a form with a field called %s",
  async (name) => {
    const text = "That form has a field that no page here asks for.\n";
    expect(await send(FORM, pairs([name]))).toEqual({ status: 400, text });
    expect(await send(PARTS, parts([name]))).toEqual({ status: 400, text });
  },
);
