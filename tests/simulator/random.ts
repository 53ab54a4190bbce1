import { createHash } from "node:crypto";

export type Random = ReturnType<typeof createRandom>;

/**
 * Creates numbers that look random and are the same for the same seed: Chris Doty-Humphrey's sfc32, seeded with a hash.
 */
export function createRandom(seed: string) {
  const start = createHash("sha256").update(seed).digest();
  let [a, b, c, count] = [start.readInt32LE(0), start.readInt32LE(4), start.readInt32LE(8), 1];

  function next(): number {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from 0 up to, but not including, the bound. */
  const below = (bound: number) => Math.floor(next() * bound);

  return {
    next,
    below,
    /** Returns a whole number between two others, inclusive. */
    between: (least: number, most: number) => least + below(most - least + 1),
    chance: (share: number) => next() < share,
    pick<Item>(items: readonly Item[]): Item | undefined {
      return items[below(items.length)];
    },
    drawInto<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = below(256);
      return bytes;
    },
    /** Creates another source, which takes no further numbers from this one. */
    fork: (name: string) => createRandom(`${seed} ${name} ${next()}`),
  };
}
