import fs from "node:fs";

const MEBIBYTE = 1024 * 1024;
/** Below this, the database stops: four segments of write-ahead log, so that it never meets the end of the disk. */
const MINIMUM = 64 * MEBIBYTE;
/** From here it goes on again: further up, so that it does not flutter. */
const ENOUGH = 80 * MEBIBYTE;

/** Watches the free space of the disk that a folder is on. */
export class DiskSpace {
  readonly #folder: string;
  #low = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get low(): boolean {
    return this.#low;
  }

  /** Looks again. Returns the free space in mebibytes, as it is for a log. */
  async refresh(): Promise<number> {
    const { bavail, blocks, bsize } = await fs.promises.statfs(this.#folder);
    // Some network and container file systems count nothing at all.
    const free = blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
    this.#low = free < (this.#low ? ENOUGH : MINIMUM);
    return Math.floor(free / MEBIBYTE);
  }
}

/** What is needed to begin with, in mebibytes, for a message. */
export const MINIMUM_MEBIBYTES = MINIMUM / MEBIBYTE;
