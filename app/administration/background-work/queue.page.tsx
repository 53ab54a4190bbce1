import * as z from "zod";
import {
  BackgroundJobName,
  MAX_RETRIED,
  type BackgroundJob,
  type BackgroundJobs,
} from "../../../server/background-work/contract.ts";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatCount, formatNumber } from "../../ui/number/number.ts";
import { Pill, type PillTone } from "../../ui/pill.tsx";
import { SegmentedLinks } from "../../ui/table/segmented-links.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ActionForm, Folded, isReturned } from "../action-form.tsx";
import { ListPager } from "../list-pager.tsx";
import { defineForm, definePage, type AdminCall, type Shown } from "../page.ts";
import { Code, StaleFormNotice, Moment, capitalize } from "../parts.tsx";

const retryForm = defineForm({
  intent: "retry-job",
  schema: z.object({ kind: BackgroundJobName.shape.kind, key: BackgroundJobName.shape.key.default("") }),
  async send(job, { api }) {
    await api.backgroundJobs.retry(job);
    return { note: "job-retried" };
  },
});

const retryAllForm = defineForm({
  intent: "retry-letters",
  schema: z.object({}),
  async send({ reason }, { api }) {
    const { retried } = await api.backgroundJobs.retryEmails({ reason });
    return { note: "letters-retried", about: formatCount(retried, "email") };
  },
});

const removeForm = defineForm({
  intent: "remove-letter",
  schema: z.object({ key: BackgroundJobName.shape.key }),
  confirm: "I understand that this email will never be sent.",
  async send({ key, reason }, { api }) {
    await api.backgroundJobs.removeEmail({ key, reason });
    return { note: "letter-removed" };
  },
});

type Queue = "mail" | "other";

const load =
  (queue: Queue) =>
  async ({ api, query }: AdminCall) => {
    const show = query.get("show") === "all" ? "all" : "given-up";
    return { page: await api.backgroundJobs.list({ queue, show, after: query.get("after") ?? undefined }), show };
  };

/** The email queue, as far as we know it without decrypting an email: the recipient and the text are encrypted. */
export const mailPage = definePage({
  path: "mail",
  title: "Email queue",
  navigation: { label: "Email queue", icon: "bell" },
  load: load("mail"),
  forms: [retryForm, retryAllForm, removeForm],
  Page: ({ data: { page, show }, shown }) => {
    const canRetryAll = show === "given-up" && page.items.length > 0;
    return (
      <div className="grid gap-4.5">
        <StaleFormNotice shown={shown} forms={[retryAllForm]} isDrawn={() => canRetryAll} />
        <QueueCard queue="mail" page={page} show={show} shown={shown} />
        {canRetryAll && (
          <Card title="After an outage of the mail server">
            <Folded title="Retry all emails that were given up" isOpen={isReturned(shown, retryAllForm)}>
              <ActionForm
                form={retryAllForm}
                shown={shown}
                submit={`Retry up to ${formatNumber(MAX_RETRIED)} emails`}
              />
            </Folded>
          </Card>
        )}
      </div>
    );
  },
});

/** All other background jobs. */
export const backgroundJobsPage = definePage({
  path: "background-jobs",
  title: "Background jobs",
  navigation: { label: "Background jobs", icon: "pulse" },
  load: load("other"),
  forms: [retryForm],
  Page: ({ data: { page, show }, shown }) => <QueueCard queue="other" page={page} show={show} shown={shown} />,
});

const WORDS: Record<Queue, { title: string; path: string; empty: string }> = {
  mail: { title: "Emails", path: "/admin/mail", empty: "No email was given up." },
  other: { title: "Jobs", path: "/admin/background-jobs", empty: "No job was given up." },
};

type QueueProps = { queue: Queue; page: BackgroundJobs; show: string; shown: Shown };

function QueueCard({ queue, page: { items, next }, show, shown }: QueueProps) {
  const { title, path, empty } = WORDS[queue];
  return (
    <>
      <StaleFormNotice
        shown={shown}
        forms={[retryForm, removeForm]}
        isDrawn={(about) => items.some((job) => nameOf(job) === about && canDo(job, shown.returned?.intent))}
      />
      <Card
        title={title}
        padded={false}
        aside={
          <SegmentedLinks
            label={`Which ${title.toLowerCase()}`}
            segments={[
              { label: "Given up", href: path, current: show === "given-up" },
              { label: "All", href: `${path}?show=all`, current: show === "all" },
            ]}
          />
        }
      >
        {queue === "mail" && (
          <p className="px-4.5 pb-3.5 text-ink-2">
            Emails are encrypted: this page shows neither recipients nor contents. Emails that were given up are kept
            for a week, unless an operator has set another time.
          </p>
        )}
        {items.length === 0 ? (
          <EmptyState title="Nothing here" text={show === "all" ? "Nothing is waiting." : empty} />
        ) : (
          <Table
            caption={title}
            rows={items}
            rowKey={({ kind, key }) => `${kind} ${key}`}
            columns={listColumns(queue, shown)}
          />
        )}
        <ListPager url={shown.url} next={next} />
      </Card>
    </>
  );
}

/** Only emails that were given up can be removed. Others may still be sent. */
const canRemove = ({ state }: BackgroundJob) => state === "given up";
const canRetry = ({ state }: BackgroundJob) => state !== "in hand";

const canDo = (job: BackgroundJob, intent: string | undefined) =>
  intent === removeForm.intent ? canRemove(job) : canRetry(job);

/** Names a job within its page. A schedule has no key. */
const nameOf = ({ kind, key }: BackgroundJob) => `${kind}-${key}`;

const TONES: Record<BackgroundJob["state"], PillTone> = { waiting: "info", "in hand": "good", "given up": "warn" };

const formatState = (state: BackgroundJob["state"], queue: Queue): string =>
  state === "in hand" ? (queue === "mail" ? "Sending" : "Running") : capitalize(state);

/** Shows emails by their key alone, because they have tables of their own. */
const NameCell = ({ kind, key }: BackgroundJob) => (
  <>
    {kind !== "mail" && <span className="font-strong">{kind}</span>}
    {key && (
      <span className="block text-note text-balance">
        <Code>{key}</Code>
      </span>
    )}
  </>
);

const ErrorCell = ({ lastError }: BackgroundJob) => (
  <span className="block max-w-80 min-w-32 wrap-anywhere text-ink-2">{lastError ?? "–"}</span>
);

function Doing({ job, shown, queue }: { job: BackgroundJob; shown: Shown; queue: Queue }) {
  const { kind, key, state } = job;
  if (!canRetry(job)) return "–";
  const about = nameOf(job);
  const later = queue === "mail" ? "Send now" : "Run now";
  const words = state === "given up" ? "Try again" : later;
  return (
    <div className="grid gap-1">
      <Folded title={words} about={`${kind} ${key}`} isOpen={isReturned(shown, retryForm, about)}>
        <ActionForm form={retryForm} shown={shown} about={about} hidden={{ kind, key }} submit={words} />
      </Folded>
      {queue === "mail" && canRemove(job) && (
        <Folded title="Remove" about={`${kind} ${key}`} isOpen={isReturned(shown, removeForm, about)}>
          <ActionForm form={removeForm} shown={shown} about={about} hidden={{ key }} submit="Remove the email" />
        </Folded>
      )}
    </div>
  );
}

const listFacts = (queue: Queue): Column<BackgroundJob>[] => [
  { head: queue === "mail" ? "Email" : "Job", cell: NameCell, className: "min-w-48" },
  { head: "State", cell: ({ state }) => <Pill tone={TONES[state]}>{formatState(state, queue)}</Pill> },
  { head: "Since or due", cell: ({ deadAt, dueAt }) => <Moment at={deadAt ?? dueAt} /> },
  { head: "Attempts", align: "end", className: "num", cell: ({ attempts }) => attempts },
  { head: "Last error", cell: ErrorCell },
];

/** The columns for the emails of a single member. */
export const EMAIL_COLUMNS = listFacts("mail");

const listColumns = (queue: Queue, shown: Shown): Column<BackgroundJob>[] => [
  ...listFacts(queue),
  { head: "Actions", cell: (job) => <Doing job={job} shown={shown} queue={queue} /> },
];
