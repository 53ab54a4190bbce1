import type { Job } from "../chain/chain-gateway.ts";
import { CHAIN } from "../chain/submit.ts";
import type { Deps } from "../deps.ts";
import { listFailing } from "../jobs/queue.queries.ts";
import type { MachineTimeline, MachineTimelineStep } from "./contract.ts";
import { isDone, readMember } from "../member/member.ts";
import { explainFailure } from "./service.ts";

const WAITING = "The network has not accepted this yet. Nothing is lost: we keep trying.";

/** Returns what has happened to the member's Smart Account and Machine ID, oldest first. */
export async function readTimeline(
  { chain, db }: Pick<Deps, "chain" | "db">,
  userId: string,
): Promise<MachineTimeline> {
  const { jobs } = await readMember(db, userId);
  const open = jobs.filter((job) => !isOver(job)).map(({ id }) => id);
  const failing = await listFailing(db, { kind: CHAIN, keys: open });
  const steps = jobs.flatMap((job) => {
    const note = failing.has(job.id) ? WAITING : null;
    return listSteps(job, { note, explorerUrl: (hash) => chain.explorerUrl(hash) });
  });
  return { mode: chain.mode, steps: steps.sort((a, b) => a.at.localeCompare(b.at)) };
}

type Shown = { note: string | null; explorerUrl: (hash: string) => string | null };

function listSteps(job: Job, { explorerUrl, note }: Shown): MachineTimelineStep[] {
  const isAccount = job.kind === "deploy";
  const subject = isAccount ? ("smart-account" as const) : ("machine-id" as const);
  const [begun, done] = isAccount ? (["queued", "deployed"] as const) : (["signed", "registered"] as const);
  const sent = { hash: job.txHash, explorerUrl: job.txHash && explorerUrl(job.txHash) };
  const nothing = { hash: null, explorerUrl: null };
  return [
    { step: begun, subject, at: job.createdAt.toISOString(), ...(isOver(job) ? nothing : sent), note },
    ...at(isDone(job) ? job.completedAt : null, (time) => ({ step: done, subject, at: time, ...sent, note: null })),
    ...at(job.failedAt, (time) => ({ step: "failed", subject, at: time, ...sent, note: explainFailure(job) })),
  ];
}

const at = (time: Date | null, describe: (time: string) => MachineTimelineStep) =>
  time ? [describe(time.toISOString())] : [];

const isOver = (job: Job) => isDone(job) || job.state === "failed";
