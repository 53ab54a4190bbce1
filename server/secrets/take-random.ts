import { randomBytes } from "node:crypto";

/** How many bytes to draw at once. Each draw costs as much as rendering a dozen elements of a page. */
const DRAWN = 4096;

let drawn = randomBytes(0);

/**
 * Returns random bytes for values that a page uses once, such as nonces. No byte is returned twice. Keys, salts and
 * lasting tokens draw their own bytes, so that none of them is in memory before it is needed.
 */
export function takeRandom(bytes: number): Buffer {
  if (drawn.length < bytes) drawn = randomBytes(Math.max(DRAWN, bytes));
  const taken = drawn.subarray(0, bytes);
  drawn = drawn.subarray(bytes);
  return taken;
}
