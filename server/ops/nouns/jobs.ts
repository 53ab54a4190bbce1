import * as z from "zod";
import { ERASE_ACCOUNT } from "../../account-data/erase.ts";
import { WEBHOOK } from "../../announcements/announce.queries.ts";
import { BackgroundJobName, type BackgroundJob } from "../../background-work/contract.ts";
import { describeJob, dropJob, retryJob } from "../../background-work/queue.ts";
import { FILL_NONCE } from "../../chain/left-nonces.ts";
import { EMAIL_CAMPAIGN } from "../../campaigns/mailing.queries.ts";
import { CHAIN } from "../../chain/submit.ts";
import * as queries from "../../jobs/queue.queries.ts";
import { MAIL } from "../../mail/outbox.queries.ts";
import { WEBHOOK_BACKLOG } from "../../webhooks/backlog.queries.ts";
import { formatCount } from "../../format-count.ts";
import { changing, reading, type Noun } from "../operation.ts";

/** All kinds of jobs, including schedules. */
const KINDS = [
  MAIL,
  EMAIL_CAMPAIGN,
  WEBHOOK,
  WEBHOOK_BACKLOG,
  CHAIN,
  FILL_NONCE,
  ERASE_ACCOUNT,
  "look-for-silence",
  "sum-network-days",
  "tidy-up",
];

const named = { usage: '<kind> <key, "" for a schedule>', words: ["kind", "key"], input: BackgroundJobName };

export const jobs: Noun = {
  summary: "background jobs: mail, the chain, deletions, schedules",
  verbs: {
    list: reading({
      usage: "[--kind <kind>] [--dead, or --no-dead] [--limit <number>]",
      summary: "lists jobs that wait, are running or were given up, the longest overdue first",
      options: { kind: "text", dead: "flag", limit: "number" },
      input: z.object({
        kind: z.enum(KINDS, `There is no such kind. There are ${KINDS.join(", ")}.`).optional(),
        dead: z.boolean().optional(),
        limit: z.number().int().min(1).max(1000).default(100),
      }),
      async read({ db }, sought) {
        const found = await queries.findJobs(db, sought);
        return found.map((job) => toListed(describeJob(job)));
      },
      describe: (list) => [
        ...list.map(({ kind, key, state, attempts, dueAt, deadAt, lastError }) =>
          [
            `${kind} ${key || '""'}`,
            deadAt ? `given up ${deadAt}` : `${state}, due ${dueAt}`,
            attempts > 0 && `tried ${formatCount(attempts, "time")}`,
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
      summary: "runs one now, even if it was given up",
      change: retryJob,
      describe: () => ["It runs within a second or two, if a server is running."],
    }),
    drop: changing({
      ...named,
      summary: "removes an email, or a job that was given up, for good",
      change: dropJob,
      describe: ({ kind }) => [
        kind === MAIL
          ? "Removed: it is not tried again. If it was being sent at this moment, it may arrive."
          : "Removed: it will never run.",
      ],
    }),
  },
};

/** Names the state by the command's own word, which scripts rely on. */
const toListed = ({ state, ...job }: BackgroundJob) => ({ ...job, state: state === "given up" ? "dead" : state });
