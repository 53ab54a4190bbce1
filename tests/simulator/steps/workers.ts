import { isDatabaseUnavailable } from "../../../server/db/unavailable.ts";
import { leaseDueJobs, type Taken } from "../../../server/jobs/queries.ts";
import { runJob } from "../../../server/jobs/run-job.ts";
import { Broken } from "../model.ts";
import type { Random } from "../random.ts";
import { pickProcess, type Process, type World } from "../world.ts";
import type { Step } from "./step.ts";

const nameOf = ({ key, kind }: Pick<Taken, "key" | "kind">) => `${kind} ${key}`;

/** A member who requests deletion again, or a change of a campaign, restarts the job of the process that holds it. */
const RESTARTED = new Set(["erase-account", "email-campaign"]);

/** Takes the jobs that are due, as a process does between two pauses. */
async function take(world: World, process: Process): Promise<Taken[]> {
  const { deps, held, kinds } = process;
  const { db, now } = deps;
  const begun = now();
  const taken = await leaseDueJobs(db, { kinds, inHand: held, now: begun });
  for (const job of taken) {
    const name = nameOf(job);
    const other = world.hands.get(name);
    if (other && other.until > begun.getTime() && !RESTARTED.has(job.kind))
      throw new Broken(`two have the same job in hand: ${job.kind}`);
    world.hands.set(name, { job, until: begun.getTime() + (kinds[job.kind]?.lease ?? 0) });
  }
  return taken;
}

async function work(world: World, { deps, kinds }: Process, job: Taken): Promise<void> {
  const kind = kinds[job.kind];
  const hand = world.hands.get(nameOf(job));
  if (!kind) throw new Error(`Nobody does jobs of the kind ${job.kind}`);
  // Another process may hold it by now, and send it as well.
  const isLate = hand?.job.lease !== job.lease || hand.until <= world.clock.now().getTime();
  if (isLate && job.kind === "mail") world.parties.unsureMails.add(job.key);
  const outcome = await runJob(deps, kind, job).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return "unnoted";
    throw error;
  });
  // The email may have been sent without this being recorded: then it is sent again.
  if (outcome !== "done" && job.kind === "mail") world.parties.unsureMails.add(job.key);
  if (world.hands.get(nameOf(job))?.job.lease === job.lease) world.hands.delete(nameOf(job));
}

/** Runs the jobs that are due, and those put aside before. Returns how many. */
export async function doJobs(world: World, process: Process): Promise<number> {
  const jobs = [...process.held, ...(await take(world, process))];
  process.held = [];
  await Promise.all(jobs.map((job) => work(world, process, job)));
  return jobs.length;
}

async function workSome(world: World, random: Random): Promise<string> {
  const process = pickProcess(world, random);
  return unlessUnavailable(async () => `${process.name}: ${await doJobs(world, process)} jobs`);
}

/** Both processes at once. */
async function workTogether(world: World): Promise<string> {
  return unlessUnavailable(async () => {
    const counts = await Promise.all(world.processes.map((process) => doJobs(world, process)));
    return `${counts.join(" and ")} jobs`;
  });
}

/** Takes jobs and is then slow to start them: their lease may be over by then. */
async function putAside(world: World, random: Random): Promise<string> {
  const process = pickProcess(world, random);
  return unlessUnavailable(async () => {
    const taken = await take(world, process);
    process.held.push(...taken);
    return `${process.name} takes ${taken.length} and sleeps on`;
  });
}

async function unlessUnavailable(attempt: () => Promise<string>): Promise<string> {
  try {
    return await attempt();
  } catch (error) {
    if (isDatabaseUnavailable(error)) return "the queue could not be read";
    throw error;
  }
}

export const WORKERS: Step[] = [
  { name: "work", weight: 22, together: true, run: workSome },
  { name: "work together", weight: 4, run: workTogether },
  { name: "fall asleep over jobs", weight: 2, run: putAside },
];
