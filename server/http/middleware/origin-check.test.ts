import { expect, test } from "vitest";
import { createAppUnderTest } from "../../../tests/support/servers/app-under-test.ts";

const host = "nodebeat.example";

async function post(path: string, headers: Record<string, string>, publicUrl?: string) {
  const { app } = createAppUnderTest({ env: { trustedProxies: [], publicUrl } });
  const response = await app.request(path, { method: "POST", headers: { host, ...headers } });
  return response.status;
}

const cookie = "session=1";

test.each([
  ["a form of our own page", { cookie, "sec-fetch-site": "same-origin" }, 200],
  ["an older browser on our own page", { cookie, origin: `https://${host}` }, 200],
  ["an address that was typed in", { cookie, "sec-fetch-site": "none" }, 200],
  ["no browser at all", { cookie }, 200],
  ["another site", { cookie, "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
  ["another site that hides its origin", { cookie, "sec-fetch-site": "cross-site", origin: "null" }, 403],
  [
    "a neighbour under the same domain",
    { cookie, "sec-fetch-site": "same-site", origin: "https://evil.nodebeat.example" },
    403,
  ],
  ["an older browser on another site", { cookie, origin: "https://evil.example" }, 403],
  [
    "a page of the same name that came over http",
    { cookie, "sec-fetch-site": "cross-site", origin: `http://${host}` },
    403,
  ],
  ["an origin that is no address", { cookie, origin: "nodebeat.example" }, 403],
  ["another site signing a visitor in", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
])("checks the origin of a page action from %s", async (_, headers, status) => {
  expect(await post("/auth", headers as Record<string, string>)).toBe(status);
});

test("accepts only the origin of PUBLIC_URL if it is set, even behind a proxy that changes the host", async () => {
  const publicUrl = "https://nodebeat.example";
  expect(await post("/auth", { host: "10.0.0.5:3000", cookie, origin: publicUrl }, publicUrl)).toBe(200);
  expect(await post("/auth", { host: "evil.example", cookie, origin: "https://evil.example" }, publicUrl)).toBe(403);
  expect(await post("/auth", { cookie, origin: "http://nodebeat.example" }, publicUrl)).toBe(403);
});

test("accepts cross-site API calls with a bearer token, unless they send a cookie", async () => {
  const foreign = { origin: "https://other.example", "sec-fetch-site": "cross-site", authorization: "Bearer t" };
  expect(await post("/api/unknown", foreign)).toBe(404);
  expect(await post("/api/unknown", { ...foreign, cookie })).toBe(403);
});

test("never refuses a read from another site", async () => {
  const { app } = createAppUnderTest();
  const headers = { cookie, "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  expect((await app.request("/dashboard", { headers })).status).toBe(200);
});
