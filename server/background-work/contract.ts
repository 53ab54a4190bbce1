import * as z from "zod";
import { CURSOR_FIELD, because, ListQuery, listPage } from "../administration/contract.ts";
import { endpoint } from "../http/contract.ts";

/** Identifies a job. */
export const BackgroundJobName = z.object({
  kind: z.string().min(1).max(64),
  /** Empty string for a schedule. */
  key: z.string().max(200),
});
export type BackgroundJobName = z.infer<typeof BackgroundJobName>;

/** A background job. Never includes its payload, which is encrypted and personal. */
export const BackgroundJob = z
  .object({
    ...BackgroundJobName.shape,
    state: z.enum(["waiting", "in hand", "given up"]),
    attempts: z.number().int(),
    dueAt: z.iso.datetime(),
    deadAt: z.iso.datetime().nullable(),
    /** The time after which the job is worthless. */
    expiresAt: z.iso.datetime().nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: "BackgroundJob" });
export type BackgroundJob = z.infer<typeof BackgroundJob>;

export const BackgroundJobsQuery = ListQuery.extend({
  /** Emails, or everything else. */
  queue: z.enum(["mail", "other"]).default("mail"),
  show: z.enum(["given-up", "all"]).default("given-up"),
  /** The kind and key of the last job on the previous page, separated by a space. */
  after: z.string().max(265).optional().meta(CURSOR_FIELD),
});
export type BackgroundJobsQuery = z.output<typeof BackgroundJobsQuery>;

export const BackgroundJobs = listPage(BackgroundJob).meta({ id: "BackgroundJobs" });
export type BackgroundJobs = z.infer<typeof BackgroundJobs>;

export const ChainJobState = z.enum(["queued", "signed", "sent", "mined", "completed", "finalized", "failed"]);
export type ChainJobState = z.infer<typeof ChainJobState>;

/** A job on the network for a member, and its progress. */
export const ChainJob = z
  .object({
    id: z.uuid(),
    member: z.object({ id: z.string(), email: z.string().nullable() }),
    kind: z.enum(["deploy", "execute"]),
    state: ChainJobState,
    /** The wallet that gave its consent. */
    owner: z.string(),
    machineAddress: z.string().nullable(),
    txHash: z.string().nullable(),
    /** A link to the transaction in a block explorer, if there is one. */
    explorerUrl: z.string().nullable(),
    /** Hashes of transactions that this one replaced. */
    replacedHashes: z.array(z.string()),
    blockNumber: z.number().int().nullable(),
    sender: z.string().nullable(),
    senderNonce: z.number().int().nullable(),
    /** The contract's error that made the job fail. */
    errorName: z.string().nullable(),
    /** How many checks in a row found nothing. Failed requests are counted in `work`. */
    attempts: z.number().int(),
    createdAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    completedAt: z.iso.datetime().nullable(),
    failedAt: z.iso.datetime().nullable(),
    /** Its entry in the queue, or null if nothing is left to do. */
    work: BackgroundJob.nullable(),
    /** Whether the job can be retried. After a failure, only while the member still wants it. */
    canRetry: z.boolean(),
  })
  .meta({ id: "ChainJob" });
export type ChainJob = z.infer<typeof ChainJob>;

export const ChainJobsQuery = ListQuery.extend({
  /** All states if left out. */
  state: ChainJobState.optional(),
  after: z.uuid().optional().meta(CURSOR_FIELD),
});
export type ChainJobsQuery = z.output<typeof ChainJobsQuery>;

export const ChainJobs = listPage(ChainJob).meta({ id: "ChainJobs" });
export type ChainJobs = z.infer<typeof ChainJobs>;

/** In lower case, like the keys in the queue. */
const params = z.object({ id: z.uuid("That is not the id of a job.").toLowerCase() });

export const readBackgroundJobs = endpoint("GET /api/admin/background-jobs", {
  access: "administrator",
  summary: "Emails and other background jobs, without their contents",
  query: BackgroundJobsQuery,
  response: BackgroundJobs,
});

export const retryBackgroundJob = endpoint("POST /api/admin/background-jobs/retry", {
  access: "administrator",
  summary: "Run a job now, even if it was given up",
  body: BackgroundJobName.extend(because),
  response: BackgroundJobName,
  fails: ["NOT_FOUND", "CONFLICT"],
});

/** The most emails to retry at once. Many are given up while a mail server is unavailable. */
export const MAX_RETRIED = 1000;

export const retryEmails = endpoint("POST /api/admin/background-jobs/retry-letters", {
  access: "administrator",
  summary: `Send emails that were given up again, ${MAX_RETRIED} at most`,
  body: z.object(because),
  response: z.object({ retried: z.number().int() }),
});

export const removeEmail = endpoint("POST /api/admin/background-jobs/remove-letter", {
  access: "administrator",
  summary: "Remove an email that was given up, for good",
  body: z.object({ key: BackgroundJobName.shape.key, ...because }),
  response: BackgroundJobName,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const readChainJobs = endpoint("GET /api/admin/chain-jobs", {
  access: "administrator",
  summary: "Chain jobs, newest first",
  query: ChainJobsQuery,
  response: ChainJobs,
});

export const readChainJob = endpoint("GET /api/admin/chain-jobs/{id}", {
  access: "administrator",
  summary: "One chain job",
  params,
  response: ChainJob,
  fails: ["NOT_FOUND"],
});

export const retryChainJob = endpoint("POST /api/admin/chain-jobs/{id}/retry", {
  access: "administrator",
  summary: "Try a failed chain job again, or run a waiting one now",
  params,
  body: z.object(because),
  response: ChainJob,
  fails: ["NOT_FOUND", "CONFLICT"],
});
