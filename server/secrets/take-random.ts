import { randomBytes } from "node:crypto";

/** Bytes that are drawn at once: each drawing costs as long as a dozen elements of a page. */
const DRAWN = 4096;

let drawn = randomBytes(0);

/**
 * Random bytes for what each page makes anew and is worthless after it. Each is given once. Keys, salts and tokens that
 * last draw their own, so that none lies in memory before it is needed.
 */
export function takeRandom(bytes: number): Buffer {
  if (drawn.length < bytes) drawn = randomBytes(Math.max(DRAWN, bytes));
  const taken = drawn.subarray(0, bytes);
  drawn = drawn.subarray(bytes);
  return taken;
}
