import * as z from "zod";
import { MAX_REPLAYED, Rotation, type Webhook } from "../../../server/webhooks/contract.ts";
import { ApiError } from "../../api/api-error.ts";
import { Card } from "../../ui/card.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { ActionForm, Folded, isReturned } from "../action-form.tsx";
import { MomentField, TypedMoment } from "../moment-field.tsx";
import { defineForm, definePage, type Shown } from "../page.ts";
import { AuditLink, Code, Facts, StaleFormNotice, Moment, formatActor, SelectField } from "../parts.tsx";
import { EVENT_WORDS } from "./event-boxes.tsx";
import { Deliveries, resendForm } from "./deliveries.tsx";
import { pauseForm, Pausing, resumeForm } from "./pausing.tsx";
import { SecretCard, type Made } from "./secret-card.tsx";
import { WebhookPill } from "./webhook-pill.tsx";

const PAGE = 50;

const rotateForm = defineForm({
  intent: "rotate-webhook",
  schema: z.object({
    previousUntil: Rotation.shape.previousUntil
      .unwrap()
      .unwrap()
      .optional()
      .transform((until) => until ?? null),
  }),
  async send(rotation, { api, params: { id = "" } }) {
    const { previousUntil, secret, url } = await api.webhooks.rotate(id, rotation);
    return { content: { previousUntil, secret, url } satisfies Made, values: {} };
  },
});

const replayForm = defineForm({
  intent: "replay-events",
  schema: z.object({
    since: TypedMoment.pipe(z.string("Choose a start.")),
    until: TypedMoment,
    which: z.enum(["undelivered", "all"]),
  }),
  async send({ since, until, which, reason }, { api, params: { id = "" } }) {
    const span = { since, ...(until && { until }), undelivered: which === "undelivered" };
    const { next, queued } = await api.webhooks.replay(id, { ...span, reason });
    // To the second, as an administrator types it.
    if (next) return { note: "webhook-queued-first", about: next.slice(0, 19).replace("T", " ") };
    return { note: "webhook-queued", about: formatNumber(queued) };
  },
});

const removeForm = defineForm({
  intent: "remove-webhook",
  schema: z.object({}),
  confirm: "I understand that nothing more is sent to this address, not even messages that are waiting.",
  async send({ reason }, { api, params: { id = "" } }) {
    await api.webhooks.remove(id, { reason });
    return { note: "webhook-removed", to: "/admin/webhooks" };
  },
});

/** An outgoing webhook: the messages sent to it, and the actions on it. */
export const webhookPage = definePage({
  path: "webhooks/:id",
  title: "Webhook",
  within: "webhooks",
  async load({ api, params: { id = "" }, query }) {
    const state = query.get("state") ?? undefined;
    const filter = { state, before: query.get("after") ?? undefined, limit: String(PAGE) };
    // `deliveries` fails if there is no such webhook. If only the list lacks it, it has just been removed.
    const [deliveryPage, all] = await Promise.all([api.webhooks.deliveries(id, filter), api.webhooks.list()]);
    const webhook = all.find((each) => each.id === id.toLowerCase());
    if (!webhook) throw new ApiError("There is no such webhook.", "NOT_FOUND", 404);
    return { deliveryPage, state, webhook };
  },
  forms: [pauseForm, resumeForm, rotateForm, resendForm, replayForm, removeForm],
  Page: ({ data: { state, deliveryPage, webhook }, shown }) => (
    <div className="grid gap-4.5">
      <SecretCard shown={shown} />
      <StaleFormNotice
        shown={shown}
        forms={[resendForm]}
        isDrawn={(about) => deliveryPage.deliveries.some(({ id }) => id === about)}
      />
      <StaleFormNotice shown={shown} forms={[webhook.paused ? pauseForm : resumeForm]} isDrawn={() => false} />
      <div className="admin-columns">
        <Card title="Details" aside={<WebhookPill webhook={webhook} />}>
          <Facts facts={listFacts(webhook)} />
        </Card>
        <Card title="Actions">
          <Changes webhook={webhook} shown={shown} />
        </Card>
      </div>
      <Deliveries deliveryPage={deliveryPage} state={state} isPaused={webhook.paused !== null} shown={shown} />
    </div>
  ),
});

const listFacts = ({ createdAt, deliveries, events, id, paused, previousUntil, url }: Webhook) =>
  [
    ["Address", <Code key="url">{url}</Code>],
    ...(paused
      ? ([
          ["Paused since", <Moment key="paused" at={paused.at} />],
          ["Paused by", formatActor(paused.by)],
        ] as const)
      : []),
    ["Id", <Code key="id">{id}</Code>],
    [
      "Events",
      <ul key="events">
        {events.map((type) => (
          <li key={type}>{EVENT_WORDS[type] ?? type}</li>
        ))}
      </ul>,
    ],
    ["Last 30 days", formatCounts(deliveries)],
    ["Added", <Moment key="added" at={createdAt} />],
    ["Changes", <AuditLink key="log" subject="webhook" id={id} />],
    ...(previousUntil ? ([["Previous secret valid until", <Moment key="until" at={previousUntil} />]] as const) : []),
  ] as const;

const formatCounts = ({ delivered, givenUp, waiting }: Webhook["deliveries"]) =>
  `${formatNumber(delivered)} delivered, ${formatNumber(waiting)} waiting, ${formatNumber(givenUp)} given up`;

function Changes({ webhook, shown }: { webhook: Webhook; shown: Shown }) {
  const { previousUntil } = webhook;
  return (
    <div className="admin-folds">
      <Pausing webhook={webhook} shown={shown} />
      <Folded title="Send messages again" isOpen={isReturned(shown, replayForm)}>
        <ActionForm
          form={replayForm}
          shown={shown}
          defaults={{ which: "undelivered" }}
          submit={`Send up to ${formatNumber(MAX_REPLAYED)} messages again`}
        >
          {(field) => (
            <>
              <MomentField {...field("since")} label="From" required />
              <MomentField {...field("until")} label="Until" hint="Leave empty to include everything until now." />
              <SelectField
                {...field("which")}
                label="Which"
                options={[
                  { value: "undelivered", label: "Not delivered" },
                  { value: "all", label: "All of them" },
                ]}
              />
            </>
          )}
        </ActionForm>
      </Folded>
      <Folded title="Rotate the secret" isOpen={isReturned(shown, rotateForm) && !shown.returned?.content}>
        <ActionForm
          form={rotateForm}
          shown={shown}
          seen={{ previousUntil: previousUntil ?? "" }}
          submit="Create a new secret"
        >
          {() => (
            <p className="text-ink-2">
              {previousUntil === null
                ? "The new secret is shown once. The current one stays valid for one more day."
                : "The current secret is less than a day old. It stops working at once, the one before it in one day."}
            </p>
          )}
        </ActionForm>
      </Folded>
      <Folded title="Remove the webhook" isOpen={isReturned(shown, removeForm)}>
        <ActionForm form={removeForm} shown={shown} submit="Remove the webhook" />
      </Folded>
    </div>
  );
}
