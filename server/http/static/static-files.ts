import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { getMimeType } from "hono/utils/mime";
import type { Encoding } from "../middleware/accept-encoding.ts";
import { digestBody } from "./etag.ts";

/** One encoding of a file, ready to send. */
type Variant = { body: Uint8Array<ArrayBuffer>; etag: string };
type StaticFile = {
  type: string;
  cacheControl: string;
  plain: Variant;
  compressed: Partial<Record<Encoding, Variant>>;
};

/** The build's files by their address. Nothing else can be served, because no path is ever looked up on disk. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const ENCODING_OF: Record<string, Encoding> = { ".br": "br", ".zst": "zstd", ".gz": "gzip" };
/** The folder of files whose names Vite gives a hash of their content. */
const IMMUTABLE = "/assets/";

/** Reads a folder, and the compressed copies that the build put next to its files. */
export async function readStaticFiles(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(paths);
  const isCopy = (path: string) => extname(path) in ENCODING_OF && known.has(path.slice(0, -extname(path).length));
  const originals = paths.filter((path) => !isCopy(path) && !isHidden(relative(folder, path)));

  const files = originals.map(async (path): Promise<[string, StaticFile]> => {
    const address = `/${relative(folder, path).split(sep).join("/")}`;
    return [address, await readStaticFile(path, address, known)];
  });
  return new Map(await Promise.all(files));
}

/** Whether a file is in a folder with a dot, like Vite's manifest. /.well-known is meant to be served. */
const isHidden = (path: string) => path.split(sep).some((part) => part.startsWith(".") && part !== ".well-known");

async function readStaticFile(path: string, address: string, known: Set<string>): Promise<StaticFile> {
  const plain = await readFile(path);
  const hash = digestBody(plain);
  const compressed: StaticFile["compressed"] = {};
  for (const [extension, encoding] of Object.entries(ENCODING_OF)) {
    if (!known.has(path + extension)) continue;
    compressed[encoding] = { body: await readFile(path + extension), etag: `"${hash}-${encoding}"` };
  }
  return {
    type: typeOf(address),
    cacheControl: address.startsWith(IMMUTABLE)
      ? "public, max-age=31536000, immutable"
      : "public, max-age=0, must-revalidate",
    plain: { body: plain, etag: `"${hash}"` },
    compressed,
  };
}

const typeOf = (address: string): string =>
  getMimeType(address) ?? (address.endsWith(".tgz") ? "application/gzip" : "application/octet-stream");
