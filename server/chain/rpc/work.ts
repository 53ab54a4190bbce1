import type { Db } from "../../db/client.ts";
import type { Logger } from "../../log.ts";
import type { Job } from "../chain-gateway.ts";
import { changeJob, type JobChange } from "../jobs.queries.ts";
import type { Factory } from "./boot-check.ts";
import type { Station } from "./station.ts";

/** What every step of a job needs. */
export type Work = { db: Db; log: Logger; now: () => Date; station: Station; factory: Factory };

/** Writes down that a job got further, and when to look again. Undefined when it is another process's meanwhile. */
export function save({ db, now, station }: Work, job: Job, change: JobChange): Promise<Job | undefined> {
  const dueAt = new Date(now().getTime() + station.timing.poll);
  return changeJob(db, job, { attempts: 0, dueAt, ...change });
}
