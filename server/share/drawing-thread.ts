import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { AppError } from "../errors.ts";
import { createFairQueue } from "../fair-share/fair-queue.ts";

/** The preview of an invitation (or of the product, without a code), or the QR code of a link. */
export type DrawJob = { code: string | null } | { link: string };
export type Drawn = { png: Uint8Array } | { problem: string };

/** Draws for a caller, who takes turns with others. */
export type DrawingThread = { draw: (job: DrawJob, caller: string) => Promise<Uint8Array<ArrayBuffer>> };

/** Drawings that may wait for their turn, of one caller and of all: about half a second's worth. */
const WAITING = { waiting: 4, inAll: 40 };
/** Kept small, so that a burst of drawings is cleared up in between: 90 MB at first, 130 MB after a hundred. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
/** Milliseconds without a drawing after which the thread gives all of it back. */
const IDLE_TIME = 60_000;

/**
 * One thread that draws PNGs, one at a time and with the least claim to the processor: about 12 ms each, 200 ms for
 * the first, which loads libraries and fonts. `draw` throws UNAVAILABLE when too many wait.
 */
export function createDrawingThread({ waiting = WAITING, idleTime = IDLE_TIME } = {}): DrawingThread {
  let worker: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const turns = createFairQueue({
    atOnce: 1,
    perCaller: 1,
    ...waiting,
    refuse: () =>
      new AppError("UNAVAILABLE", "Too many pictures are being made. Please try again in a moment.", { retryAfter: 5 }),
  });

  async function perform(job: DrawJob) {
    clearTimeout(idle);
    worker ??= new Worker(new URL("./draw.worker.ts", import.meta.url), { resourceLimits: MEMORY });
    // Somebody waits for it now.
    worker.ref();
    try {
      const drawn = await ask(worker, job);
      worker.unref();
      return drawn;
    } catch (error) {
      release();
      throw error;
    } finally {
      idle = setTimeout(release, idleTime).unref();
    }
  }

  function release() {
    void worker?.terminate();
    worker = undefined;
  }

  return { draw: (job, caller) => turns.run(caller, () => perform(job)) };
}

async function ask(worker: Worker, job: DrawJob): Promise<Uint8Array<ArrayBuffer>> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's takes none, only a window's does
  worker.postMessage(job);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what draw.worker.ts posts
  const [drawn] = (await once(worker, "message")) as [Drawn];
  if ("problem" in drawn) throw new Error(drawn.problem);
  return new Uint8Array(drawn.png);
}
