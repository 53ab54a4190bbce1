import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { precompress } from "./precompress.ts";

const script = `console.log("the same again");\n`.repeat(200);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nodebeat-precompress-"));
  await writeFile(join(folder, "entry.js"), script);
  await writeFile(join(folder, "tiny.js"), "1");
  await writeFile(join(folder, "font.woff2"), script);
  await precompress(folder);
});
afterAll(() => rm(folder, { recursive: true }));

test("compresses only files of a compressible type that are large enough", async () => {
  expect((await readdir(folder)).toSorted()).toEqual([
    "entry.js",
    "entry.js.br",
    "entry.js.gz",
    "entry.js.zst",
    "font.woff2",
    "tiny.js",
  ]);
});

test.each([
  [".br", brotliDecompressSync],
  [".zst", zstdDecompressSync],
  [".gz", gunzipSync],
])("the %s copy decompresses to the file", async (extension, decompress) => {
  expect(decompress(await readFile(join(folder, `entry.js${extension}`))).toString()).toBe(script);
});
