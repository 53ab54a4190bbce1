import { NewWebhook, type IncomingWebhooks, type Webhook } from "../../../server/webhooks/contract.ts";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ActionForm, isReturned } from "../action-form.tsx";
import { defineForm, definePage, type Shown } from "../page.ts";
import { Code, Moment, formatActor } from "../parts.tsx";
import { EventBoxes } from "./event-boxes.tsx";
import { SecretCard, type Made } from "./secret-card.tsx";
import { WebhookPill } from "./webhook-pill.tsx";

const addForm = defineForm({
  intent: "add-webhook",
  schema: NewWebhook.required({ key: true }),
  async send(webhook, { api }) {
    const { previousUntil, secret, url } = await api.webhooks.add(webhook);
    return { content: { previousUntil, secret, url } satisfies Made, values: {} };
  },
});

/** Webhooks: where we send events, and who sends events to us. */
export const webhooksPage = definePage({
  path: "webhooks",
  title: "Webhooks",
  navigation: { label: "Webhooks", icon: "link" },
  async load({ api }) {
    const [webhooks, incoming] = await Promise.all([api.webhooks.list(), api.webhooks.incoming()]);
    // The key makes a form that is sent twice add one webhook.
    return { webhooks, incoming, key: crypto.randomUUID() };
  },
  forms: [addForm],
  Page: ({ data: { incoming, key, webhooks }, shown }) => (
    <div className="grid gap-4.5">
      <SecretCard shown={shown} />
      <Card title="Outgoing webhooks" padded={false}>
        {webhooks.length === 0 ? (
          <EmptyState
            title="No webhook yet"
            text="Add the first one below. You can also send it events from the last 30 days."
          />
        ) : (
          <>
            <Table caption="Webhooks, oldest first" rows={webhooks} rowKey={({ id }) => id} columns={COLUMNS} />
            <p className="border-t border-line px-4.5 py-3 text-small text-ink-2">
              Messages are counted over the last 30 days.
            </p>
          </>
        )}
      </Card>
      <Card title="Add a webhook" className="max-w-190">
        <AddForm shown={shown} webhookKey={key} />
      </Card>
      <Incoming incoming={incoming} />
    </div>
  ),
});

const AddForm = ({ shown, webhookKey }: { shown: Shown; webhookKey: string }) => (
  <ActionForm form={addForm} shown={shown} seen={{ key: webhookKey }} submit="Add the webhook">
    {(field) => (
      <>
        <Field
          {...field("url")}
          label="Address"
          type="url"
          required
          maxLength={500}
          placeholder="https://"
          hint="A public https address. Messages name members by id, never by email address."
        />
        <EventBoxes field={field("events")} returned={isReturned(shown, addForm) ? shown.returned : undefined} />
      </>
    )}
  </ActionForm>
);

function StateCell(webhook: Webhook) {
  const { paused } = webhook;
  return (
    <>
      <WebhookPill webhook={webhook} />
      {paused && (
        <span className="block text-note text-ink-2">
          <Moment at={paused.at} />
          <span className="block wrap-anywhere">by {formatActor(paused.by)}</span>
        </span>
      )}
    </>
  );
}

const COLUMNS: Column<Webhook>[] = [
  {
    head: "Address",
    cell: ({ id, url }) => (
      <Link to={`/admin/webhooks/${id}`} className="font-strong wrap-anywhere underline">
        {url}
      </Link>
    ),
    className: "min-w-56",
  },
  {
    head: "Events",
    cell: ({ events }) =>
      events.map((type) => (
        <code key={type} className="num block text-note">
          {type}
        </code>
      )),
  },
  { head: "State", cell: StateCell, className: "min-w-56" },
  { head: "Delivered", align: "end", className: "num", cell: ({ deliveries }) => formatNumber(deliveries.delivered) },
  { head: "Waiting", align: "end", className: "num", cell: ({ deliveries }) => formatNumber(deliveries.waiting) },
  { head: "Given up", align: "end", className: "num", cell: ({ deliveries }) => formatNumber(deliveries.givenUp) },
];

const INCOMING_PATH = "/api/webhooks/campaign-completions";

/** Shows the incoming webhooks. Their secrets are settings, which only operators may read. */
function Incoming({ incoming: { messages, secrets } }: { incoming: IncomingWebhooks }) {
  return (
    <Card title="Incoming webhooks" padded={false}>
      <p className="px-4.5 pb-3.5 text-ink-2">
        {secrets === 0 ? (
          <>
            Completed campaigns can be reported at <Code>{INCOMING_PATH}</Code> once an operator sets{" "}
            <Code>CAMPAIGN_WEBHOOK_SECRET</Code>.
          </>
        ) : (
          <>
            Completed campaigns are reported at <Code>{INCOMING_PATH}</Code>, signed with{" "}
            {secrets === 1 ? "the secret" : "either of the secrets"} in <Code>CAMPAIGN_WEBHOOK_SECRET</Code>.
          </>
        )}
      </p>
      {messages.length > 0 && (
        <Table
          caption="The last messages received"
          rows={messages}
          rowKey={({ id }) => id}
          columns={INCOMING_COLUMNS}
        />
      )}
    </Card>
  );
}

const INCOMING_COLUMNS: Column<IncomingWebhooks["messages"][number]>[] = [
  { head: "Message", cell: ({ id }) => <Code>{id}</Code>, className: "min-w-40" },
  { head: "Received", cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
];
