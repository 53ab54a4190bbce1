import * as z from "zod";
import { OPERATOR } from "../../administration/actor.ts";
import {
  DeliveriesQuery,
  NewWebhook,
  Replay,
  WebhookName,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from "../../webhooks/contract.ts";
import * as service from "../../webhooks/endpoints.ts";
import { openOutgoing } from "../../webhooks/outgoing.ts";
import { pauseWebhook, resumeWebhook } from "../../webhooks/pause.ts";
import { formatCount } from "../../format-count.ts";
import { changing, reading, type Noun, type OpsDeps } from "../operation.ts";

export const webhooks: Noun = {
  summary: "messages to other systems about what happens here (docs/webhooks.md)",
  verbs: {
    add: changing({
      usage: "<https address> <event>…",
      summary: "sends an address messages about events, and shows the secret that signs them, only this once",
      words: ["url", "events…"],
      input: NewWebhook,
      change: async (deps, act, input) => service.addWebhook(await withSeal(deps), act, input),
      describe: (webhook) => [describeWebhook(webhook), describeSecret(webhook)],
    }),
    list: reading({
      usage: "",
      summary: "lists the addresses, with their events",
      input: z.object({}),
      read: (deps) => service.readWebhooks(deps, OPERATOR),
      describe: (list) => [
        ...list.map((webhook) => {
          const { delivered, givenUp, waiting } = webhook.deliveries;
          const counts = `${delivered} delivered, ${waiting} waiting, ${givenUp} given up`;
          return [describeWebhook(webhook), counts, describePause(webhook)].filter(Boolean).join("  ");
        }),
        list.length === 0 ? "None." : `${list.length} in all.`,
      ],
    }),
    pause: changing({
      usage: "<id>",
      summary: "stops sending to an address until you resume it; messages wait for up to 30 days",
      words: ["id"],
      input: WebhookName,
      change: pauseWebhook,
      describe: ({ changed, waiting }) => [
        `${changed ? "Paused" : "It was already paused"}. ${waiting === 1 ? "1 message waits" : `${waiting} messages wait`}.`,
      ],
    }),
    resume: changing({
      usage: "<id>",
      summary: "sends what waited while it was paused, the oldest first",
      words: ["id"],
      input: WebhookName,
      change: resumeWebhook,
      describe: ({ changed, waiting }) => [
        changed
          ? `Resumed. ${waiting === 1 ? "1 message is" : `${waiting} messages are`} sent now.`
          : "It was not paused.",
      ],
    }),
    rotate: changing({
      usage: "<id>",
      summary:
        "creates a new secret; the current one also signs for one more day, or, if that is less than a day old, " +
        "the one before it",
      words: ["id"],
      input: WebhookName,
      change: async (deps, act, input) => service.rotateWebhook(await withSeal(deps), act, input),
      describe: (webhook) => [
        describeSecret(webhook),
        webhook.previousUntil
          ? `The previous secret also signs until ${webhook.previousUntil}.`
          : "The previous secret cannot be read any more, so only this one signs.",
      ],
    }),
    remove: changing({
      usage: "<id>",
      summary: "stops sending to an address for good, including what waits",
      words: ["id"],
      input: WebhookName,
      change: service.removeWebhook,
      describe: () => ["Removed."],
    }),
    deliveries: reading({
      usage: "<id> [--state <delivered, waiting or given-up>] [--before <id of an event>] [--limit <number>]",
      summary: "lists messages to an address, the latest first",
      words: ["id"],
      options: { state: "text", before: "text", limit: "number" },
      input: DeliveriesQuery.extend(WebhookName.shape),
      read: (deps, query) => service.readDeliveries(deps, OPERATOR, query),
      describe: ({ deliveries, next }) => [
        ...deliveries.map(describeDelivery),
        next ? `More with --before ${next}.` : `${deliveries.length} shown.`,
      ],
    }),
    replay: changing({
      usage: "<id> [--event <id>, or --since <time> [--until <time>]] [--undelivered]",
      summary: "sends messages again, under the same ids; write times as 2026-12-01T00:00:00Z",
      words: ["id"],
      options: { event: "text", since: "text", until: "text", undelivered: "flag" },
      input: Replay.safeExtend(WebhookName.shape),
      change: service.replay,
      describe: ({ next, queued }) => [`${queued} queued.${next ? ` More with --since ${next}.` : ""}`],
    }),
  },
};

/** Adds what seals webhook secrets if the secrets are known. The service says what it cannot do without them. */
async function withSeal({ secrets, webhooksToPrivate = false, ...deps }: OpsDeps): Promise<service.SealingDeps> {
  return { ...deps, outgoing: secrets && openOutgoing(await secrets(), { toPrivate: webhooksToPrivate }) };
}

const describeWebhook = ({ events, id, url }: Pick<Webhook, "id" | "url" | "events">) =>
  `${id}  ${url}  ${events.join(", ")}`;

const describePause = ({ paused }: Webhook) =>
  paused && `paused since ${paused.at} by ${paused.by.email ?? paused.by.id ?? "the operator"}`;

const describeSecret = ({ secret }: WebhookWithSecret) => `Secret, shown only this once: ${secret}`;

const describeDelivery = ({ at, attempts, id, lastError, state, type }: WebhookDelivery) =>
  [id, type, at, state, `tried ${formatCount(attempts, "time")}`, lastError].filter(Boolean).join("  ");
