import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { AppError } from "../errors.ts";
import { createFairQueue } from "../fair-share/fair-queue.ts";

/** What to draw: the preview of an invitation (or of the product, without a code), or the QR code of a link. */
export type DrawJob = { code: string | null } | { link: string };
export type Drawn = { png: Uint8Array } | { problem: string };

/** Draws for callers, who take turns. */
export type DrawingThread = { draw: (job: DrawJob, caller: string) => Promise<Uint8Array<ArrayBuffer>> };

/** How many drawings may wait, of one caller and of all. That is about half a second of work. */
const WAITING = { waiting: 4, inAll: 40 };
/** Kept small, so that garbage is collected during a burst of drawings: 90 MB at first, 130 MB after a hundred. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
/** How long the thread may be idle before it ends and frees its memory, in milliseconds. */
const IDLE_TIME = 60_000;

/**
 * Creates a thread that draws one PNG at a time, with the lowest priority. A drawing takes about 12 ms, and the first
 * one 200 ms, because it loads libraries and fonts. `draw` throws UNAVAILABLE if too many wait.
 */
export function createDrawingThread({ waiting = WAITING, idleTime = IDLE_TIME } = {}): DrawingThread {
  let worker: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const queue = createFairQueue({
    atOnce: 1,
    perCaller: 1,
    ...waiting,
    refuse: () =>
      new AppError("UNAVAILABLE", "Too many pictures are being made. Please try again in a moment.", { retryAfter: 5 }),
  });

  async function perform(job: DrawJob) {
    clearTimeout(idle);
    worker ??= new Worker(new URL("./draw.worker.ts", import.meta.url), { resourceLimits: MEMORY });
    // Keeps the process alive, because a caller is waiting.
    worker.ref();
    try {
      const drawn = await drawOnThread(worker, job);
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

  return { draw: (job, caller) => queue.run(caller, () => perform(job)) };
}

async function drawOnThread(worker: Worker, job: DrawJob): Promise<Uint8Array<ArrayBuffer>> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only a window's needs an origin
  worker.postMessage(job);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what draw.worker.ts posts
  const [drawn] = (await once(worker, "message")) as [Drawn];
  if ("problem" in drawn) throw new Error(drawn.problem);
  return new Uint8Array(drawn.png);
}
