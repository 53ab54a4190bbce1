import * as z from "zod";
import { DeliveryState, Replay, type WebhookDelivery } from "../../../server/webhooks/contract.ts";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatCount, formatNumber } from "../../ui/number/number.ts";
import { Pill, type PillTone } from "../../ui/pill.tsx";
import { SegmentedLinks } from "../../ui/table/segmented-links.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { formatUtc } from "../../ui/time.tsx";
import { ActionForm, Folded, isReturned } from "../action-form.tsx";
import { ListPager } from "../list-pager.tsx";
import { defineForm, type Shown } from "../page.ts";
import { Code, Moment } from "../parts.tsx";
import { EVENT_WORDS } from "./event-boxes.tsx";

export const resendForm = defineForm({
  intent: "resend-event",
  schema: z.object({ event: Replay.shape.event.unwrap() }),
  async send({ event, reason }, { api, params: { id = "" } }) {
    const { queued } = await api.webhooks.replay(id, { event, undelivered: false, reason });
    return { note: "webhook-queued", about: formatNumber(queued) };
  },
});

type DeliveryPage = { deliveries: WebhookDelivery[]; next: string | null };
type DeliveriesProps = { deliveryPage: DeliveryPage; state: string | undefined; isPaused: boolean; shown: Shown };

const STATE_WORDS: Record<DeliveryState, [words: string, tone: PillTone]> = {
  delivered: ["Delivered", "good"],
  waiting: ["Waiting", "info"],
  "given-up": ["Given up", "warn"],
};

/** Lists the messages to a webhook, sent and waiting, with their results. */
export function Deliveries({ deliveryPage, state, isPaused, shown }: DeliveriesProps) {
  const { pathname } = shown.url;
  return (
    <Card
      title="Messages of the last 30 days"
      padded={false}
      aside={
        <SegmentedLinks
          label="Which messages"
          segments={[
            { label: "All", href: pathname, current: state === undefined },
            ...DeliveryState.options.map((each) => ({
              label: STATE_WORDS[each][0],
              href: `${pathname}?state=${each}`,
              current: state === each,
            })),
          ]}
        />
      }
    >
      {deliveryPage.deliveries.length === 0 ? (
        <EmptyState
          title="Nothing here"
          text={state ? "No message has this state." : "Nothing has been sent yet, and nothing is waiting."}
        />
      ) : (
        <Table
          caption="Messages, latest first"
          rows={deliveryPage.deliveries}
          rowKey={({ id }) => id}
          columns={listColumns(shown, isPaused)}
        />
      )}
      <ListPager url={shown.url} next={deliveryPage.next} />
    </Card>
  );
}

const listColumns = (shown: Shown, isPaused: boolean): Column<WebhookDelivery>[] => [
  {
    head: "Event",
    className: "min-w-40",
    cell: ({ id, type }) => (
      <>
        <span className="font-strong">{EVENT_WORDS[type] ?? type}</span>
        <span className="block text-note text-balance">
          <Code>{id}</Code>
        </span>
      </>
    ),
  },
  { head: "Happened", cell: ({ at }) => <Moment at={at} /> },
  {
    head: "State",
    cell: ({ state }) => <Pill tone={STATE_WORDS[state][1]}>{STATE_WORDS[state][0]}</Pill>,
  },
  {
    head: "Last attempt",
    cell: ({ attempts, lastAt }) => (
      <>
        <Moment at={lastAt} />
        {attempts > 0 && <span className="block text-note text-ink-2">{formatCount(attempts, "attempt")}</span>}
      </>
    ),
  },
  {
    head: "Answer",
    cell: ({ lastError, lastStatus }) => (
      <span className="block max-w-80 min-w-32 wrap-anywhere text-ink-2">{lastError ?? lastStatus ?? "–"}</span>
    ),
  },
  { head: "Actions", cell: (delivery) => <Resend delivery={delivery} isPaused={isPaused} shown={shown} /> },
];

type ResendProps = { delivery: WebhookDelivery; isPaused: boolean; shown: Shown };

const Resend = ({ delivery: { at, id: event, type }, isPaused, shown }: ResendProps) => (
  <Folded
    title="Send again"
    about={`${EVENT_WORDS[type] ?? type}, ${formatUtc(at)}`}
    isOpen={isReturned(shown, resendForm, event)}
  >
    <ActionForm
      form={resendForm}
      shown={shown}
      about={event}
      hidden={{ event }}
      submit={isPaused ? "Send it after the pause" : "Send it now"}
    />
  </Folded>
);
