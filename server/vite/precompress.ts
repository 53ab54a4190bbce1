import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { Plugin } from "vite";

const { constants } = zlib;
const COMPRESSIBLE = /\.(?:js|css|html|svg|json|txt|xml|webmanifest|map|ico)$/;
/** A smaller file fits in one packet with its headers, compressed or not. */
const MIN_SIZE = 1024;

const compress: Record<string, (content: Buffer) => Promise<Buffer>> = {
  ".br": (content) =>
    promisify(zlib.brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  ".zst": (content) => promisify(zlib.zstdCompress)(content, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  ".gz": (content) => promisify(zlib.gzip)(content, { level: 9 }),
};

/** Writes compressed copies next to the browser's files once everything is built. The server only picks one. */
export function precompressPlugin(): Plugin {
  return {
    name: "nodebeat:precompress",
    apply: "build",
    buildApp: {
      order: "post",
      async handler({ environments }) {
        const { root, build } = environments.client?.config ?? {};
        if (root && build) await precompress(resolve(root, build.outDir));
      },
    },
  };
}

/** Compresses every file in a folder that is worth it, as far as possible. */
export async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
}

async function compressFile(path: string) {
  if ((await stat(path)).size < MIN_SIZE) return;
  const content = await readFile(path);
  for (const [extension, run] of Object.entries(compress)) {
    const smaller = await run(content);
    if (smaller.length < content.length) await writeFile(path + extension, smaller);
  }
}
