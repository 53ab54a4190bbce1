import { pipeline, Readable, type Duplex } from "node:stream";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { Encoding } from "./accept-encoding.ts";
import type { Bytes, ByteStream } from "../listening/collect-body.ts";

const { constants } = zlib;

// At these levels a page costs tens of microseconds. Higher ones save a few percent and cost several times as much.
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const br = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzip = { level: 4 };

/**
 * Up to this size, compressing synchronously is cheaper than a trip to the thread pool, and does not hold up others.
 */
const MAX_SYNC = 128 * 1024;

/** Compresses a whole body. */
export async function compressBuffer(body: Bytes, encoding: Encoding): Promise<Bytes> {
  return body.length <= MAX_SYNC ? compressSync[encoding](body) : compressAsync[encoding](body);
}

const compressSync: Record<Encoding, (body: Bytes) => Bytes> = {
  zstd: (body) => zlib.zstdCompressSync(body, { ...zstd, pledgedSrcSize: body.length }),
  br: (body) => zlib.brotliCompressSync(body, br),
  gzip: (body) => zlib.gzipSync(body, gzip),
};

const compressAsync: Record<Encoding, (body: Bytes) => Promise<Bytes>> = {
  zstd: (body) => promisify(zlib.zstdCompress)(body, zstd),
  br: (body) => promisify(zlib.brotliCompress)(body, br),
  gzip: (body) => promisify(zlib.gzip)(body, gzip),
};

/**
 * Compresses a body as it is produced. Every chunk is flushed, so that the browser can use what has arrived. If the
 * reader leaves, the body is not produced any further.
 */
export function compressStream(body: ByteStream, encoding: Encoding): ByteStream {
  const compressor = streamCompressor[encoding]();
  /* oxlint-disable typescript/no-unsafe-type-assertion -- Node types its web streams apart from the DOM's */
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  // With `Duplex.toWeb`, a body whose reader has left would be read to its end.
  pipeline(source, compressor, () => {});
  return Readable.toWeb(compressor) as ByteStream;
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

const streamCompressor: Record<Encoding, () => Duplex> = {
  zstd: () => zlib.createZstdCompress({ ...zstd, flush: constants.ZSTD_e_flush }),
  br: () => zlib.createBrotliCompress({ ...br, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => zlib.createGzip({ ...gzip, flush: constants.Z_SYNC_FLUSH }),
};
