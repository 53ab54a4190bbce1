import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAppUnderTest } from "../../../tests/support/servers/app-under-test.ts";
import { readStaticFiles } from "./static-files.ts";

const script = `console.log("hello");\n`.repeat(100);
let folder: string;
let app: ReturnType<typeof createAppUnderTest>["app"];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nodebeat-static-"));
  const client = join(folder, "client");
  const files: Record<string, string | Buffer> = {
    "assets/entry-a1b2.js": script,
    "assets/entry-a1b2.js.br": brotliCompressSync(script),
    "assets/entry-a1b2.js.gz": gzipSync(script),
    "assets/shared-c3d4.js": script,
    "assets/shared-c3d4.js.zst": zstdCompressSync(script),
    "favicon.ico": Buffer.from([0, 1, 2]),
    "robots.txt": "User-agent: *\n",
    "downloads/data.gz": "not a compressed copy of anything",
    "node/nodebeat-node.tgz": gzipSync("a package"),
    ".vite/manifest.json": "{}",
    ".well-known/security.txt": "Contact: mailto:security@nodebeat.test\n",
    "../secret.txt": "outside",
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(client, path, ".."), { recursive: true });
    await writeFile(join(client, path), content);
  }
  ({ app } = createAppUnderTest({ staticFiles: await readStaticFiles(client) }));
});
afterAll(() => rm(folder, { recursive: true }));

const get = async (path: string, headers: Record<string, string> = {}) =>
  app.request(`http://localhost${path}`, { headers });

test("serves a hashed asset in the build's best encoding, as immutable", async () => {
  const response = await get("/assets/entry-a1b2.js", { "accept-encoding": "gzip, deflate, br, zstd" });
  const body = Buffer.from(await response.arrayBuffer());
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "content-encoding": "br",
    "content-length": String(body.length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(brotliDecompressSync(body).toString()).toBe(script);
});

test("serves an asset as zstd if the build compressed it only so", async () => {
  const response = await get("/assets/shared-c3d4.js", { "accept-encoding": "gzip;q=0.5, zstd" });
  expect(response.headers.get("Content-Encoding")).toBe("zstd");
  expect(zstdDecompressSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(script);
});

test("a client that does not accept that encoding gets the next one, or the plain file", async () => {
  expect((await get("/assets/entry-a1b2.js", { "accept-encoding": "gzip" })).headers.get("Content-Encoding")).toBe(
    "gzip",
  );
  const plain = await get("/assets/entry-a1b2.js", { "accept-encoding": "zstd" });
  expect(plain.headers.has("Content-Encoding")).toBe(false);
  expect(await plain.text()).toBe(script);
});

test("each encoding has its own ETag, and a matching ETag answers 304 without a body", async () => {
  const forms = await Promise.all(
    ["br", "gzip", ""].map((form) => get("/assets/entry-a1b2.js", { "accept-encoding": form })),
  );
  const tags = forms.map(({ headers }) => headers.get("ETag") ?? "");
  expect(new Set(tags).size).toBe(3);

  for (const known of [tags[0], `W/${tags[0]}`, `"other", ${tags[0]}`, "*"]) {
    const response = await get("/assets/entry-a1b2.js", { "accept-encoding": "br", "if-none-match": known ?? "" });
    expect([response.status, await response.text(), response.headers.get("ETag")]).toEqual([304, "", tags[0]]);
    expect(response.headers.get("Cache-Control")).toContain("immutable");
  }
  expect((await get("/assets/entry-a1b2.js", { "if-none-match": `"old"` })).status).toBe(200);
});

test("other files must be revalidated each time", async () => {
  const { headers } = await get("/favicon.ico", { "accept-encoding": "br" });
  expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  expect(headers.get("Content-Type")).toBe("image/x-icon");
  expect(headers.has("Vary")).toBe(false);
  expect((await get("/robots.txt")).headers.get("Content-Type")).toMatch(/^text\/plain/);
  expect((await get("/.well-known/security.txt")).status).toBe(200);
});

test("the node's package must be revalidated, and is never sent as a compressed response", async () => {
  const asked = { method: "HEAD", headers: { "accept-encoding": "br, gzip" } };
  const { headers, status } = await app.request("/node/nodebeat-node.tgz", asked);
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toBe("application/gzip");
  expect(headers.get("Content-Length")).toBe(String(gzipSync("a package").length));
  expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  expect(headers.has("Content-Encoding")).toBe(false);
  expect(headers.get("ETag")).toMatch(/^".+"$/);
});

test("HEAD has the headers of GET and no body", async () => {
  for (const path of ["/robots.txt", "/assets/entry-a1b2.js"]) {
    const headers = { "accept-encoding": "br" };
    const response = await app.request(path, { method: "HEAD", headers });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    const ofGet = (await get(path, headers)).headers;
    // Each response has an id of its own.
    for (const each of [response.headers, ofGet]) each.delete("X-Request-Id");
    expect(Object.fromEntries(response.headers)).toEqual(Object.fromEntries(ofGet));
    expect(Number(ofGet.get("Content-Length"))).toBeGreaterThan(0);
  }
});

test("a file allows only GET and HEAD", async () => {
  const response = await app.request("/robots.txt", { method: "POST", body: "x" });
  expect([response.status, response.headers.get("Allow"), await response.text()]).toEqual([
    405,
    "GET, HEAD",
    "This can only be read.\n",
  ]);
});

test.each([
  "/assets/gone-c3d4.js",
  "/assets/",
  "/apple-touch-icon.png",
  "/.env",
  "/.vite/manifest.json",
  "/assets/entry-a1b2.js.br",
  "/wp-login.php",
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/assets/..%2f..%2f..%2fsecret.txt",
  "/%2e%2e/secret.txt",
])("%s answers 404 as plain text, not as a page", async (path) => {
  const response = await get(path);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([404, "text/plain; charset=utf-8"]);
  expect(await response.text()).toBe("There is no such file.\n");
});

test("serves a file that only looks like a compressed copy as it is", async () => {
  expect(await (await get("/downloads/data.gz")).text()).toContain("not a compressed copy");
});

test.each(["/dashboard", "/dashboard.data", "/_root.data", "/v1.2/notes"])("%s renders a page", async (path) => {
  expect(await (await get(path)).text()).toBe("<h1>Page</h1>");
});
