import type { Deps } from "../deps.ts";
import { releaseJobs } from "./jobs.queries.ts";

/** Milliseconds between looks at the queue, for what waits for the network and for what other processes have queued. */
const LOOK_EVERY = 1000;

type WorkerDeps = Pick<Deps, "chain" | "db" | "log" | "now">;
/** `alone`: no other process works on this database, as with the embedded one. */
type WorkerOptions = { alone: boolean };

/**
 * Takes what is wanted of the chain further, for as long as the process runs. Returns its end. What a process left
 * when it was killed is gone on with at once by the only process, and by one of many after some seconds.
 */
export function startChain(deps: WorkerDeps, { alone }: WorkerOptions): () => Promise<void> {
  const stopping = new AbortController();
  const ended = advanceUntil(stopping.signal, deps, alone);
  return async () => {
    stopping.abort();
    await ended;
  };
}

async function advanceUntil(signal: AbortSignal, { chain, db, log, now }: WorkerDeps, alone: boolean): Promise<void> {
  const note = (error: unknown) => log.warn({ err: error }, "the chain's queue could not be read");
  if (alone) await releaseJobs(db, now()).catch(note);
  while (!signal.aborted) {
    const taken = await chain.advance().catch(note);
    if (!taken) await chain.waitForWork(LOOK_EVERY, signal);
  }
}
