import type { Status } from "../../db/unavailable.ts";
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log/log.ts";
import { LINE_EVERY, seldom } from "../../seldom.ts";
import { ChainProblem, checkStation, type Factory } from "./boot-check.ts";
import { summarize } from "./rpc-errors.ts";
import type { Station } from "./station.ts";

export type Boot = ReturnType<typeof createBoot>;

/**
 * Checks the chain before anything is done there: again and again until all is well, then never more. An outage
 * later stops only what needs the chain.
 */
export function createBoot(station: Station, { log, now }: { log: Logger; now: () => Date }) {
  const report = seldom(
    (problem: Error) =>
      log.error({ err: summarize(problem), cause: summarize(problem.cause) }, "the chain is not ready"),
    LINE_EVERY,
  );
  let running: Promise<Factory> | undefined;
  let isWell = false;
  let failed: { problem: Error; at: number } | undefined;

  function check(): Promise<Factory> {
    // The clock may have been put back since.
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
    /** Whether it was all well before. Checks again, some time after the last time, where it was not. */
    isReady() {
      // Logged where it is checked, and said by `status`.
      if (!isWell) check().catch(() => {});
      return isWell;
    },
    /** The factory once everything is as it must be. Throws UNAVAILABLE until then. */
    factory: () =>
      check().catch((cause: unknown) => {
        throw unavailable(cause);
      }),
    /** Whether everything is as it must be, for the load balancer; otherwise why not, in a sentence. */
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

/** What members are told while the chain cannot be reached. */
export const unavailable = (cause: unknown) =>
  new AppError("UNAVAILABLE", "The identity network cannot be reached at the moment. Please try again soon.", {
    cause,
    retryAfter: 10,
  });
