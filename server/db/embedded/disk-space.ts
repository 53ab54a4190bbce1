import fs from "node:fs";

const MEBIBYTE = 1024 * 1024;
/** The database stops below this: four segments of write-ahead log, so that it never hits the end of the disk. */
const MINIMUM = 64 * MEBIBYTE;
/** It continues above this. Higher than the minimum, so that it does not flip back and forth. */
const ENOUGH = 80 * MEBIBYTE;

/** Watches the free space on the disk that holds a folder. */
export class DiskSpace {
  readonly #folder: string;
  #low = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get low(): boolean {
    return this.#low;
  }

  /** Checks again. Returns the free space in mebibytes, for the log. */
  async refresh(): Promise<number> {
    const { bavail, blocks, bsize } = await fs.promises.statfs(this.#folder);
    // Some network and container file systems report zero blocks.
    const free = blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
    this.#low = free < (this.#low ? ENOUGH : MINIMUM);
    return Math.floor(free / MEBIBYTE);
  }
}

/** The space needed to start, in mebibytes, for a message. */
export const MINIMUM_MEBIBYTES = MINIMUM / MEBIBYTE;
