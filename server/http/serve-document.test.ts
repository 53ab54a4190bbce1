import * as zlib from "node:zlib";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import type { ApiEnv } from "./mount-routes.ts";
import { serveDocument } from "./serve-document.ts";

const CONTENT = { text: "long enough to be compressed ".repeat(100) };

/** Serves a document, and counts how often it is made. */
function serve() {
  let made = 0;
  const handler = serveDocument(() => {
    made += 1;
    return CONTENT;
  });
  const { app } = createAppUnderTest({ api: new Hono<ApiEnv>().get("/api/document.json", handler) });
  const ask = (accepted: string, method = "GET") =>
    app.request("/api/document.json", { method, headers: { "accept-encoding": accepted } });
  return { ask, countMade: () => made };
}

const decode = {
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
  gzip: zlib.gunzipSync,
  identity: (body: Buffer) => body,
};
const encodings: (keyof typeof decode)[] = ["br", "zstd", "gzip", "identity"];

test.each(encodings)("serves the document in %s with its length, also to HEAD", async (encoding) => {
  const { ask } = serve();
  const response = await ask(encoding);
  const body = Buffer.from(await response.arrayBuffer());
  expect(JSON.parse(String(decode[encoding](body)))).toEqual(CONTENT);
  for (const { headers } of [response, await ask(encoding, "HEAD")])
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/json",
      "content-length": String(body.length),
      vary: "Accept-Encoding",
      ...(encoding !== "identity" && { "content-encoding": encoding }),
    });
});

test("makes the document once, when it is first requested", async () => {
  const { ask, countMade } = serve();
  expect(countMade()).toBe(0);
  for (const encoding of [...encodings, ...encodings]) expect((await ask(encoding)).status).toBe(200);
  expect(countMade()).toBe(1);
});
