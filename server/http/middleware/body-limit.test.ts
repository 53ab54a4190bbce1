import { expect, test } from "vitest";
import { createApiUnderTest, createAppUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";

const api = createApiUnderTest();
api.post("/api/*", async (c) => c.json({ size: (await c.req.text()).length }));
const pages = async (request: Request) => html(JSON.stringify(Object.fromEntries(await request.formData())));
const { app } = createAppUnderTest({ api, pages });

const KIB = 1024;
const FORM = "application/x-www-form-urlencoded";
const sized = (size: number) => ({
  method: "POST",
  body: "x".repeat(size),
  headers: { "content-length": String(size) },
});

function chunked(size: number): RequestInit {
  const body = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < size; sent += KIB) controller.enqueue(Buffer.alloc(Math.min(KIB, size - sent), "x"));
      controller.close();
    },
  });
  return { method: "POST", body, duplex: "half", headers: { "content-type": "application/json" } } as RequestInit;
}

test.each([
  ["/api/echo", 64 * KIB, 200],
  ["/api/echo", 64 * KIB + 1, 413],
  ["/api/heartbeats", 128 * KIB, 200],
  ["/api/heartbeats", 128 * KIB + 1, 413],
])("%s with %i bytes answers %i, with or without a length", async (path, size, status) => {
  for (const request of [sized(size), chunked(size)]) {
    const response = await app.request(path, request);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(status === 200 ? { size } : { error: "PAYLOAD_TOO_LARGE" });
  }
});

test("a length beside a chunked body counts for nothing", async () => {
  const lying = { ...chunked(64 * KIB + 1), headers: { "content-length": "1", "transfer-encoding": "chunked" } };
  expect((await app.request("/api/echo", lying)).status).toBe(413);
});

test.each<[path: string, kilobytes: number, shown?: string]>([
  ["/api/jobs/results", 256],
  ["/api/admin/completions", 256],
  ["/api/admin/completions/file", 256],
  ["/api/admin/whitelist", 256],
  ["/api/webhooks/campaign-completions", 256],
  ["/api/admin/legal/tos/draft", 256],
  ["/api/admin/legal/pp/draft", 256],
  ["/admin/legal/tos", 512],
  ["/admin/legal/pp", 512],
  ["/admin/completions", 1024, "1.024"],
])("%s accepts %i kB, and not a byte more", async (path, kilobytes, shown = String(kilobytes)) => {
  const post = (size: number) => {
    const { headers, ...request } = sized(size);
    return app.request(path, { ...request, headers: { ...headers, "content-type": FORM } });
  };
  // Other errors in the request are only found once the size is accepted.
  expect((await post(kilobytes * KIB)).status).not.toBe(413);
  const refused = await post(kilobytes * KIB + 1);
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain(`Send at most ${shown} kB.`);
});

test("a 413 response states the limit, as JSON under the API and as a page to a browser", async () => {
  const call = await app.request("/api/echo", sized(65 * KIB));
  expect(await call.json()).toEqual({ message: "Send at most 64 kB.", error: "PAYLOAD_TOO_LARGE", statusCode: 413 });

  const { headers, ...form } = sized(65 * KIB);
  const page = await app.request("/auth", { ...form, headers: { ...headers, accept: "text/html" } });
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toContain("<h1>Send at most 64 kB.</h1>");
  // A body over the limit is read to its end, unless it is far too large.
  for (const read of [call, page]) expect(read.headers.get("Connection")).toBeNull();
  const endless = { ...form, headers: { "content-length": String(9 * KIB * KIB) } };
  for (const path of ["/api/echo", "/auth"])
    expect((await app.request(path, endless)).headers.get("Connection")).toBe("close");
});

test("a form sent without a length reaches its action whole", async () => {
  const body = new Blob(["name=", "Ada"]).stream();
  const headers = { "content-type": FORM };
  const response = await app.request("/auth", { method: "POST", body, duplex: "half", headers } as RequestInit);
  expect(await response.text()).toBe(`{"name":"Ada"}`);
});
