import { setImmediate as nextTurn } from "node:timers/promises";
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  zstdDecompressSync,
} from "node:zlib";
import { expect, test } from "vitest";
import { createApiUnderTest, createAppUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";

const long = "<p>A sentence that repeats itself. </p>\n".repeat(400);
const decompress = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

async function get(body: string | ReadableStream, acceptEncoding: string, init?: ResponseInit) {
  const { app } = createAppUnderTest({ pages: async () => html(body, init) });
  return app.request("/auth", { headers: { "accept-encoding": acceptEncoding } });
}

test.each(["zstd", "br", "gzip"] as const)("sends a page as %s if the client accepts only that", async (encoding) => {
  const response = await get(long, encoding);
  const body = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get("Content-Encoding")).toBe(encoding);
  expect(response.headers.get("Vary")).toBe("Accept-Encoding");
  expect(response.headers.get("Content-Length")).toBe(String(body.length));
  expect(body.length).toBeLessThan(long.length / 10);
  expect(decompress[encoding](body).toString()).toBe(long);
});

test("sends a page handed to takeWhole as the response's body, but not in place of another response", async () => {
  const answers: Record<string, () => Response> = {
    "/auth": () => new Response(null, { headers: { "Content-Type": "text/html; charset=utf-8" } }),
    "/moved": () => new Response(null, { status: 302, headers: { Location: "/auth" } }),
    "/another": () => html("<p>Another page</p>"),
  };
  const { app } = createAppUnderTest({
    pages: async ({ url }, { takeWhole }) => {
      takeWhole(Buffer.from(long));
      return answers[new URL(url).pathname]?.() ?? html("");
    },
  });
  const headers = { "accept-encoding": "zstd" };
  const page = await app.request("/auth", { headers });
  expect(page.headers.get("Content-Encoding")).toBe("zstd");
  expect(zstdDecompressSync(Buffer.from(await page.arrayBuffer())).toString()).toBe(long);
  const plain = await app.request("/auth");
  expect([plain.headers.get("Content-Length"), await plain.text()]).toEqual([String(long.length), long]);
  expect(await (await app.request("/moved", { headers })).text()).toBe("");
  expect(await (await app.request("/another", { headers })).text()).toBe("<p>Another page</p>");
});

test("sends a page uncompressed, with its length, if the client accepts no encoding", async () => {
  const response = await get(long, "");
  expect(response.headers.has("Content-Encoding")).toBe(false);
  expect(response.headers.get("Content-Length")).toBe(String(long.length));
  expect(await response.text()).toBe(long);
});

test("does not compress a small body, but still sends Vary", async () => {
  const response = await get("<p>é</p>", "br");
  expect(response.headers.has("Content-Encoding")).toBe(false);
  expect(response.headers.get("Vary")).toBe("Accept-Encoding");
  expect(response.headers.get("Content-Length")).toBe("9");
});

test.each([
  [1023, null],
  [1024, "gzip"],
])("a body of %i bytes has the encoding %s", async (size, encoding) => {
  const response = await get("a".repeat(size), "gzip");
  expect(response.headers.get("Content-Encoding")).toBe(encoding);
});

test("also compresses a body over the limit for the main thread", async () => {
  const body = long.repeat(20);
  for (const encoding of ["zstd", "br", "gzip"] as const) {
    const response = await get(body, encoding);
    expect(decompress[encoding](Buffer.from(await response.arrayBuffer())).toString()).toBe(body);
  }
});

test("collects only part of a long body, and streams the rest as it is read", async () => {
  let made = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    controller.enqueue(Buffer.alloc(64 * 1024, "x"));
    if (++made === 200) controller.close();
  };
  const response = await get(new ReadableStream({ pull }), "");
  expect(made).toBeLessThan(100);
  expect((await response.arrayBuffer()).byteLength).toBe(200 * 64 * 1024);
});

test("keeps the status, the cookies and an earlier Vary", async () => {
  const headers = new Headers({ Vary: "Cookie" });
  headers.append("Set-Cookie", "a=1; Path=/");
  headers.append("Set-Cookie", "b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
  const response = await get(long, "br", { status: 404, headers });
  expect(response.status).toBe(404);
  expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]);
  expect(response.headers.get("Vary")).toBe("Cookie, Accept-Encoding");
});

test("compresses the API's JSON, but neither a redirect nor an encoded body", async () => {
  const api = createApiUnderTest();
  api.get("/api/list", (c) => c.json(Array.from({ length: 200 }, (_, id) => ({ id }))));
  api.get("/api/ready", (c) => c.body("encoded", 200, { "Content-Type": "text/css", "Content-Encoding": "br" }));
  const { app } = createAppUnderTest({
    api,
    pages: async () => new Response(null, { status: 302, headers: { Location: "/auth" } }),
  });
  const request = { headers: { "accept-encoding": "gzip" } };

  const list = await app.request("/api/list", request);
  expect(JSON.parse(gunzipSync(Buffer.from(await list.arrayBuffer())).toString())).toHaveLength(200);
  expect(await (await app.request("/api/ready", request)).text()).toBe("encoded");
  const redirect = await app.request("/", request);
  expect([redirect.status, redirect.headers.get("Location"), redirect.headers.get("Vary")]).toEqual([
    302,
    "/auth",
    null,
  ]);
  expect(redirect.headers.get("Content-Length")).toBe("0");
});

test("a page that takes one turn of the event loop is sent whole, with its length", async () => {
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await nextTurn();
        controller.enqueue(new TextEncoder().encode(long));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  expect((await get(stream, "")).headers.get("Content-Length")).toBe(String(long.length));
});

test.each([204, 304])("sends no Content-Length with %i, which has no body", async (status) => {
  const { app } = createAppUnderTest({ pages: async () => new Response(null, { status }) });
  const { headers } = await app.request("/auth");
  expect([headers.has("Content-Length"), headers.has("Vary")]).toEqual([false, false]);
});

test.each([
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
  ["gzip", createGunzip],
])("streams a page that waits for deferred data as %s, beginning with what is ready", async (encoding, decode) => {
  const rest = Promise.withResolvers<string>();
  const encoder = new TextEncoder();
  const stream = new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode("<h1>Shell</h1>"));
      controller.enqueue(encoder.encode(await rest.promise));
      controller.close();
    },
  });
  const response = await get(stream, encoding);
  expect(response.headers.get("Content-Encoding")).toBe(encoding);
  expect(response.headers.has("Content-Length")).toBe(false);

  const reader = response.body?.getReader();
  const plain = decode();
  plain.write((await reader?.read())?.value);
  const first = await new Promise((resolve) => void plain.once("data", resolve));
  expect(String(first)).toBe("<h1>Shell</h1>");

  rest.resolve("<p>Rest</p>");
  const second = new Promise((resolve) => void plain.once("data", resolve));
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) plain.write(read.value);
  expect(String(await second)).toBe("<p>Rest</p>");
});

/** Opens an endless file. `isLeft` returns whether the file was told that its reader has left. */
function openFile() {
  let isLeft = false;
  const source: UnderlyingSource = {
    async pull(rows) {
      await nextTurn();
      rows.enqueue(Buffer.from("a row"));
    },
    cancel: () => void (isLeft = true),
  };
  const api = createApiUnderTest();
  const headers = { "Content-Type": "text/csv", "Content-Disposition": "attachment" };
  api.get("/api/log", () => new Response(new ReadableStream(source), { headers }));
  const { app } = createAppUnderTest({ api });
  const ask = async (method: string, encoding: string) =>
    app.request("/api/log", { method, headers: { "accept-encoding": encoding } });
  return { ask, isLeft: () => isLeft };
}

test.each(["br", "zstd", "gzip", "identity"])(
  "stops producing a file when its reader leaves or asks only for its headers: %s",
  async (encoding) => {
    const [read, unread] = [openFile(), openFile()];
    const reader = (await read.ask("GET", encoding)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const { headers, status } = await unread.ask("HEAD", encoding);
    expect([status, headers.get("Vary")]).toEqual([200, "Accept-Encoding"]);
    await expect.poll(() => [read.isLeft(), unread.isLeft()]).toEqual([true, true]);
  },
);

test("a stream that breaks off ends with an error instead of looking complete", async () => {
  const rest = Promise.withResolvers<string>();
  const stream = new ReadableStream({
    async pull(controller) {
      controller.enqueue(await rest.promise);
    },
  });
  const response = await get(stream, "gzip");
  const read = response.arrayBuffer();
  rest.reject(new Error("broken off"));
  await expect(read).rejects.toThrow("broken off");
});

test("passes on a response with immutable headers, as fetch returns it", async () => {
  const fixed = Response.redirect("https://nodebeat.example/", 302);
  const { app } = createAppUnderTest({ pages: async () => fixed });
  const response = await app.request("/out");
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
});
