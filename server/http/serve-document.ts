import type { Handler } from "hono";
import type { Bytes } from "./listening/collect-body.ts";
import { negotiate, type Encoding } from "./middleware/accept-encoding.ts";
import { compressBuffer } from "./middleware/compressors.ts";
import type { ApiEnv } from "./mount-routes.ts";

/** The smallest comes first: each is compressed only once. */
const PREFERRED = ["br", "zstd", "gzip"] as const;

/**
 * Serves a JSON document that stays the same. It is made, and compressed for each encoding, when it is first requested,
 * because that takes long and most processes are never asked for it.
 */
export function serveDocument(make: () => object): Handler<ApiEnv> {
  let made: Bytes | undefined;
  const plain = () => (made ??= Buffer.from(JSON.stringify(make())));
  const compressed = new Map<Encoding, Promise<Bytes>>();

  function compress(encoding: Encoding): Promise<Bytes> {
    const body = compressed.get(encoding) ?? compressBuffer(plain(), encoding);
    compressed.set(encoding, body);
    return body;
  }

  return async (c) => {
    const encoding = negotiate(PREFERRED, c.req.header("accept-encoding"));
    const body = encoding ? await compress(encoding) : plain();
    return c.body(body, 200, {
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      Vary: "Accept-Encoding",
      ...(encoding && { "Content-Encoding": encoding }),
    });
  };
}
