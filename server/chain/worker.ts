import type { Deps } from "../deps.ts";

/** Milliseconds between looks at the queue, for what waits for the network and for what other processes have queued. */
const LOOK_EVERY = 1000;

/** Takes what is wanted of the chain further, for as long as the process runs. Returns its end. */
export function startChain(deps: Pick<Deps, "chain" | "log">): () => Promise<void> {
  const stopping = new AbortController();
  const ended = advanceUntil(stopping.signal, deps);
  return async () => {
    stopping.abort();
    await ended;
  };
}

async function advanceUntil(signal: AbortSignal, { chain, log }: Pick<Deps, "chain" | "log">): Promise<void> {
  while (!signal.aborted) {
    const taken = await chain.advance().catch((error: unknown) => {
      log.warn({ err: error }, "the chain's queue could not be read");
      return 0;
    });
    if (taken === 0) await chain.waitForWork(LOOK_EVERY, signal);
  }
}
