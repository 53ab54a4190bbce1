import * as z from "zod";
import type { Act } from "../../administration/actor.ts";
import { administer, type Note } from "../../administration/service.ts";
import type { Tx } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import * as queries from "../../jobs/queue.queries.ts";
import { MAIL } from "../../mail/outbox.ts";
import { changing, reading, type Noun, type OpsDeps } from "../operation.ts";

const JobName = z.object({ kind: z.string().max(64), key: z.string().max(200) });
type JobName = z.infer<typeof JobName>;

const named = { usage: '<kind> <key, "" for a schedule>', words: ["kind", "key"], input: JobName };

export const jobs: Noun = {
  summary: "what is done in the background: mail, the chain, deletions, schedules",
  verbs: {
    list: reading({
      usage: "[--kind <kind>] [--dead, or --no-dead] [--limit <number>]",
      summary: "what waits, is in hand or was given up, the longest due first",
      options: { kind: "text", dead: "flag", limit: "number" },
      input: z.object({
        kind: z.string().optional(),
        dead: z.boolean().optional(),
        limit: z.number().int().min(1).max(1000).default(100),
      }),
      async read({ db }, sought) {
        const found = await queries.findJobs(db, sought);
        return found.map(describeJob);
      },
      describe: (list) => [
        ...list.map(({ kind, key, state, attempts, dueAt, deadAt, lastError }) =>
          [
            `${kind} ${key || '""'}`,
            deadAt ? `given up ${deadAt}` : `${state}, due ${dueAt}`,
            attempts > 0 && `tried ${attempts} times`,
            lastError,
          ]
            .filter(Boolean)
            .join("  "),
        ),
        list.length === 0 ? "Nothing." : `${list.length} shown.`,
      ],
    }),
    retry: changing({
      ...named,
      summary: "has one done now, also one that was given up",
      change: (deps, act, name) =>
        changeJob(deps, act, name, async (tx, job, note, at) => {
          if (job.lease && !job.deadAt) throw new AppError("CONFLICT", "That is being done at this moment.");
          await queries.reviveJob(tx, name, at);
          await note({ action: "job.retried", ...subjectOf(name) });
        }),
      describe: () => ["It is done within a second or two, where a server runs."],
    }),
    drop: changing({
      ...named,
      summary: "removes a letter, or anything that was given up, for good",
      change: (deps, act, name) =>
        changeJob(deps, act, name, async (tx, job, note) => {
          if (!job.deadAt && job.kind !== MAIL) {
            throw new AppError("CONFLICT", "Only letters, and what was given up, can be removed.");
          }
          await queries.removeJob(tx, name);
          await note({ action: "job.dropped", ...subjectOf(name) });
        }),
      describe: () => ["Removed: it is never done."],
    }),
  },
};

type Change = (tx: Tx, job: LockedJob, note: Note, at: Date) => Promise<void>;
type FoundJob = Awaited<ReturnType<typeof queries.findJobs>>[number];
type LockedJob = NonNullable<Awaited<ReturnType<typeof queries.lockJob>>>;

/** Throws NOT_FOUND for what is not queued, or was done meanwhile. */
async function changeJob(deps: OpsDeps, act: Act, name: JobName, change: Change): Promise<JobName> {
  await administer(deps, act, async (tx, note, at) => {
    const job = await queries.lockJob(tx, name);
    if (!job) throw new AppError("NOT_FOUND", "There is no such job: it may have been done.");
    await change(tx, job, note, at);
  });
  return name;
}

const subjectOf = ({ kind, key }: JobName) => ({ subject: "job" as const, subjectId: `${kind} ${key}`.trim() });

function describeJob({ isInHand, kind, key, attempts, lastError, ...at }: FoundJob) {
  const state = at.deadAt ? "dead" : isInHand ? "in hand" : "waiting";
  const times = { dueAt: toText(at.dueAt), deadAt: toText(at.deadAt), expiresAt: toText(at.expiresAt) };
  return { kind, key, state, attempts, ...times, lastError };
}

const toText = (at: Date | null) => at?.toISOString() ?? null;
