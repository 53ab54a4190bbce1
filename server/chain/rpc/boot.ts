import type { Status } from "../../db/unavailable.ts";
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log/log.ts";
import { LOG_INTERVAL, throttle } from "../../throttle.ts";
import { ChainProblem, checkStation, type Factory } from "./boot-check.ts";
import { summarize } from "./rpc-errors.ts";
import type { Station } from "./station.ts";

export type Boot = ReturnType<typeof createBoot>;

/**
 * Checks the chain before anything is done there: repeatedly until all is well, and then never again. A later outage
 * stops only what needs the chain.
 */
export function createBoot(station: Station, { log, now }: { log: Logger; now: () => Date }) {
  const report = throttle(
    (problem: Error) =>
      log.error({ err: summarize(problem), cause: summarize(problem.cause) }, "the chain is not ready"),
    LOG_INTERVAL,
  );
  let running: Promise<Factory> | undefined;
  let isWell = false;
  let failed: { problem: Error; at: number } | undefined;

  function check(): Promise<Factory> {
    // The clock may have been set back since then.
    if (failed && Math.abs(now().getTime() - failed.at) < station.timing.retryStart)
      return Promise.reject(failed.problem);
    running ??= checkStation(station).then(note, (error: unknown) => {
      const problem = error instanceof Error ? error : new Error(String(error));
      report(problem);
      failed = { problem, at: now().getTime() };
      running = undefined;
      throw problem;
    });
    return running;
  }

  function note(factory: Factory) {
    isWell = true;
    failed = undefined;
    return factory;
  }

  return {
    /** Whether a check has ever succeeded. If not, checks again some time after the last attempt. */
    isReady() {
      // The check logs the error, and `status` reports it.
      if (!isWell) check().catch(() => {});
      return isWell;
    },
    /** Returns the factory once everything is as it must be. Throws UNAVAILABLE until then. */
    factory: () =>
      check().catch((cause: unknown) => {
        throw unavailable(cause);
      }),
    /** Tells the load balancer whether everything is as it must be, and if not, why, in a sentence. */
    async status(): Promise<Status> {
      try {
        await check();
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: error instanceof ChainProblem ? error.message : "The chain could not be checked." };
      }
    },
  };
}

/** The error that members get while the chain cannot be reached. */
export const unavailable = (cause: unknown) =>
  new AppError("UNAVAILABLE", "The identity network cannot be reached at the moment. Please try again soon.", {
    cause,
    retryAfter: 10,
  });
