import * as z from "zod";
import { CURSOR_FIELD, because, Doer } from "../administration/contract.ts";
import { AnnouncedType } from "../announcements/contract.ts";
import { endpoint, Instant } from "../http/contract.ts";

const header = (example: string, most: number) =>
  z
    .string(`Send this header, as ${example}.`)
    .min(1)
    .max(most)
    .meta({ description: `Such as ${example}` });

/**
 * The headers that identify and sign a message, as Standard Webhooks defines them (https://www.standardwebhooks.com).
 */
export const WebhookHeaders = z.object({
  "webhook-id": header("msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", 200),
  "webhook-timestamp": header("1763640000", 20),
  "webhook-signature": header("v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=", 1000),
});
export type WebhookHeaders = z.infer<typeof WebhookHeaders>;

/**
 * A UUID in lower case, as the database writes it: secrets are sealed under a webhook's id, and jobs and the audit log
 * store ids as text.
 */
const uuid = (problem: string) => z.uuid(problem).toLowerCase();

/** Where to send messages, and about which events. */
export const NewWebhook = z.object({
  url: z
    .url({ protocol: /^https$/, error: "Enter an https address." })
    .max(500, "Use 500 characters at most.")
    .refine(hasNoSecret, "Leave user name, password and fragment out of the address.")
    .meta({ description: "An https address, without user name, password and fragment" }),
  events: z.array(AnnouncedType).min(1, "Choose at least one event.").max(10).transform(removeDuplicates),
  /**
   * An idempotency key: the webhook is added once, however often this is sent. Only the first response shows the
   * secret.
   */
  key: uuid("A key is a UUID.").optional(),
});
export type NewWebhook = z.output<typeof NewWebhook>;

function hasNoSecret(address: string): boolean {
  const url = URL.parse(address);
  return !url || (url.username === "" && url.password === "" && url.hash === "");
}

function removeDuplicates(events: AnnouncedType[]): AnnouncedType[] {
  return [...new Set(events)];
}

/** Which secret to replace. If this names one that has been replaced in the meantime, nothing is done. */
export const Rotation = z.object({
  /** As the list shows it. */
  previousUntil: z.iso.datetime().nullable().optional(),
});
export type Rotation = z.infer<typeof Rotation>;

export const WebhookName = z.object({ id: uuid("Name a webhook by its id, as the list shows it.") });
export type WebhookName = z.infer<typeof WebhookName>;

const shape = {
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  createdAt: z.iso.datetime(),
  /** Until when the previous secret also signs; null if there is none. */
  previousUntil: z.iso.datetime().nullable(),
};

export const Webhook = z
  .object({
    ...shape,
    /** Since when sending is paused, and who paused it; null while messages are sent. */
    paused: z.object({ at: z.iso.datetime(), by: Doer }).nullable(),
    /** Deliveries of the last 30 days. */
    deliveries: z.object({ delivered: z.number().int(), waiting: z.number().int(), givenUp: z.number().int() }),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

/** A webhook with its secret, which is shown only in this response. */
export const WebhookWithSecret = z.object({ ...shape, secret: z.string() }).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookPauseChanged = z
  .object({
    id: z.string(),
    /** False if it was in that state already. */
    changed: z.boolean(),
    /** Messages that have not been delivered yet. */
    waiting: z.number().int(),
  })
  .meta({ id: "WebhookPauseChanged" });
export type WebhookPauseChanged = z.infer<typeof WebhookPauseChanged>;

export const DeliveryState = z.enum(["delivered", "waiting", "given-up"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

export const DeliveriesQuery = z.object({
  state: DeliveryState.optional(),
  before: z.uuid().optional().meta(CURSOR_FIELD),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;

export const WebhookDelivery = z
  .object({
    /** The id of the event, and of its message. */
    id: z.string(),
    type: z.string(),
    /** When the event happened. */
    at: z.iso.datetime(),
    state: DeliveryState,
    attempts: z.number().int(),
    lastAt: z.iso.datetime().nullable(),
    /** The status that the receiver last answered with; null if it did not answer. */
    lastStatus: z.number().int().nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** The most events that one replay of a time span sends again. Those of one millisecond are not separated. */
export const MAX_REPLAYED = 5000;

/** One event, or all events of a time span: from `since`, inclusive, to `until`, exclusive. */
export const Replay = z
  .object({
    event: uuid("Name an event by its id.").optional().meta({ description: "Give this, or `since`" }),
    since: Instant.optional(),
    until: Instant.optional().meta({ description: "What happened from this time on is left out" }),
    /** Only events that have not been delivered. */
    undelivered: z.boolean().default(false),
  })
  .refine(
    ({ event, since }) => (event === undefined) !== (since === undefined),
    "Name either an event or a start time.",
  );
export type Replay = z.output<typeof Replay>;

export const Replayed = z.object({
  queued: z.number().int(),
  /** When the next event happened, if there are more; null if that was all. */
  next: z.iso.datetime().nullable(),
});
export type Replayed = z.infer<typeof Replayed>;

export const readWebhooks = endpoint("GET /api/admin/webhooks", {
  access: "administrator",
  summary: "All webhooks",
  response: z.array(Webhook),
});

export const addWebhook = endpoint("POST /api/admin/webhooks", {
  access: "administrator",
  summary: "Add a webhook; only this answer has its secret",
  body: NewWebhook.extend(because),
  response: WebhookWithSecret,
  fails: ["CONFLICT"],
});

export const removeWebhook = endpoint("POST /api/admin/webhooks/{id}/remove", {
  access: "administrator",
  summary: "Remove a webhook",
  params: WebhookName,
  body: z.object(because),
  response: WebhookName,
  fails: ["NOT_FOUND"],
});

export const pauseWebhook = endpoint("POST /api/admin/webhooks/{id}/pause", {
  access: "administrator",
  summary: "Pause a webhook: messages wait until it is resumed",
  params: WebhookName,
  body: z.object(because),
  response: WebhookPauseChanged,
  fails: ["NOT_FOUND"],
});

export const resumeWebhook = endpoint("POST /api/admin/webhooks/{id}/resume", {
  access: "administrator",
  summary: "Resume a webhook: sends what waited, the oldest first",
  params: WebhookName,
  body: z.object(because),
  response: WebhookPauseChanged,
  fails: ["NOT_FOUND"],
});

export const rotateWebhook = endpoint("POST /api/admin/webhooks/{id}/rotate", {
  access: "administrator",
  summary: "Create a new secret; the current one also signs for one more day",
  params: WebhookName,
  body: Rotation.extend(because),
  response: WebhookWithSecret,
  fails: ["CONFLICT", "NOT_FOUND"],
});

export const readDeliveries = endpoint("GET /api/admin/webhooks/{id}/deliveries", {
  access: "administrator",
  summary: "Messages to a webhook, sent or waiting, the latest first",
  params: WebhookName,
  query: DeliveriesQuery,
  response: z.object({ deliveries: z.array(WebhookDelivery), next: z.string().nullable() }),
  fails: ["NOT_FOUND"],
});

export const replayWebhook = endpoint("POST /api/admin/webhooks/{id}/replay", {
  access: "administrator",
  summary: "Send messages again, under the same ids",
  params: WebhookName,
  body: Replay.safeExtend(because),
  response: Replayed,
  fails: ["NOT_FOUND"],
});

export const IncomingWebhooks = z
  .object({
    /** How many secrets incoming messages may be signed with. With none, every message is refused. */
    secrets: z.number().int(),
    /** The last messages received, latest first. */
    messages: z.array(z.object({ id: z.string(), receivedAt: z.iso.datetime() })),
  })
  .meta({ id: "IncomingWebhooks" });
export type IncomingWebhooks = z.infer<typeof IncomingWebhooks>;

export const readIncomingWebhooks = endpoint("GET /api/admin/webhooks/incoming", {
  access: "administrator",
  summary: "The last messages received about completed campaigns",
  response: IncomingWebhooks,
});
