import type { Db } from "../../db/client.ts";
import type { Lease } from "../../jobs/job.ts";
import type { Logger } from "../../log/log.ts";
import type { Job } from "../chain-gateway.ts";
import { changeJob, type JobChange } from "../jobs.queries.ts";
import type { Factory } from "./boot-check.ts";
import type { Station } from "./station.ts";

/** What every step of a job needs. */
export type Work = { db: Db; log: Logger; now: () => Date; station: Station; factory: Factory; lease: Lease };

/** Writes down that a job got further. Undefined when it is another process's meanwhile. */
export const save = (work: Work, job: Job, change: JobChange): Promise<Job | undefined> =>
  changeJob(work, job, { attempts: 0, ...change });
