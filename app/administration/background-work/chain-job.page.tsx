import * as z from "zod";
import type { ChainJob } from "../../../server/background-work/contract.ts";
import { Card } from "../../ui/card.tsx";
import { ActionForm } from "../action-form.tsx";
import { defineForm, definePage } from "../page.ts";
import { AuditLink, Code, Facts, StaleFormNotice, MemberLink, Moment } from "../parts.tsx";
import { KINDS, ChainJobPill } from "./chain-jobs.page.tsx";

const retryForm = defineForm({
  intent: "retry-chain-job",
  schema: z.object({}),
  async send({ reason }, { api, params: { id = "" } }) {
    await api.chainJobs.retry(id, { reason });
    return { note: "job-retried" };
  },
});

export const chainJobPage = definePage({
  path: "chain-jobs/:id",
  title: "Chain job",
  within: "chain-jobs",
  load: ({ api, params: { id = "" } }) => api.chainJobs.read(id),
  forms: [retryForm],
  Page: ({ data: job, shown }) => (
    <>
      <StaleFormNotice shown={shown} forms={[retryForm]} isDrawn={() => job.canRetry} />
      <div className="admin-columns">
        <Card title={KINDS[job.kind]} aside={<ChainJobPill state={job.state} />}>
          <Facts facts={listFacts(job)} />
        </Card>
        <Card title={startLabelOf(job)}>
          {job.canRetry ? (
            <ActionForm form={retryForm} shown={shown} submit={startLabelOf(job)} />
          ) : (
            <p className="text-ink-2">{explainNoRetry(job)}</p>
          )}
        </Card>
      </div>
    </>
  ),
});

const startLabelOf = ({ state }: ChainJob): string => (state === "failed" ? "Try again" : "Run now");

function explainNoRetry({ state }: ChainJob): string {
  if (state === "finalized") return "It is done.";
  return state === "failed"
    ? "The member has started again since, or no longer wants this."
    : "It is running right now.";
}

const listFacts = (job: ChainJob) =>
  [
    ["Id", <Code key="id">{job.id}</Code>],
    ["Member", <MemberLink key="member" member={job.member} />],
    ["Signed by", <Code key="owner">{job.owner}</Code>],
    ["Machine", <Code key="machine">{job.machineAddress}</Code>],
    ["Transaction", <Transaction key="tx" job={job} />],
    ["Replaced transactions", <Replaced key="replaced" hashes={job.replacedHashes} />],
    ["Sent by", <Code key="sender">{job.sender}</Code>],
    ["Nonce", job.senderNonce ?? "–"],
    ["Block", job.blockNumber ?? "–"],
    ["Error", job.errorName ?? "–"],
    ["Checks without a result", job.attempts],
    ["Attempts in a row", job.work?.attempts ?? "–"],
    ["Error of the last attempt", job.work?.lastError ?? "–"],
    ["Next attempt", <Moment key="due" at={job.work?.dueAt ?? null} />],
    ["Started", <Moment key="begun" at={job.createdAt} />],
    ["Sent", <Moment key="sent" at={job.sentAt} />],
    ["Completed", <Moment key="completed" at={job.completedAt} />],
    ["Failed", <Moment key="failed" at={job.failedAt} />],
    ["Changes", <AuditLink key="log" subject="job" id={`chain ${job.id}`} />],
  ] as const;

const Transaction = ({ job: { explorerUrl, txHash } }: { job: ChainJob }) =>
  explorerUrl ? (
    <a href={explorerUrl} rel="noreferrer" className="underline">
      <Code>{txHash}</Code>
    </a>
  ) : (
    <Code>{txHash}</Code>
  );

const Replaced = ({ hashes }: { hashes: string[] }) =>
  hashes.length === 0 ? (
    "None"
  ) : (
    <ul className="grid gap-0.5">
      {hashes.map((hash) => (
        <li key={hash}>
          <Code>{hash}</Code>
        </li>
      ))}
    </ul>
  );
