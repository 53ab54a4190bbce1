import { expect, test } from "vitest";
import { negotiate } from "./accept-encoding.ts";

const preferred = ["zstd", "br", "gzip"] as const;

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["GZIP", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br; q=0, *", "zstd"],
  ["*;q=0.1, gzip;q=0", "zstd"],
  ["br;q=nonsense", undefined],
  ["identity", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["gzip;q=0.8, identity;q=0.3, *;q=0", "gzip"],
  ["identity, gzip", "gzip"],
  ["identity;q=0, *;q=0", undefined],
  ["deflate", undefined],
  ["", undefined],
  [undefined, undefined],
])("negotiates %s → %s, also when asked again", (accepted, encoding) => {
  expect(negotiate(preferred, accepted)).toBe(encoding);
  expect(negotiate(preferred, accepted)).toBe(encoding);
});
