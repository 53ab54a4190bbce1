import { uuidv7 } from "uuidv7";
import { describeDoer, type Act, type Actor } from "../administration/actor.ts";
import { toPage } from "../administration/paging.ts";
import { administer, permit } from "../administration/service.ts";
import type { AnnouncedType } from "../announcements/contract.ts";
import type { Tx } from "../db/client.ts";
import { limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import {
  MAX_REPLAYED,
  type DeliveriesQuery,
  type DeliveryState,
  type NewWebhook,
  type Replay,
  type Replayed,
  type Rotation,
  type Webhook,
  type WebhookDelivery,
  type WebhookName,
  type WebhookWithSecret,
} from "./contract.ts";
import type { Outgoing } from "./outgoing.ts";
import * as queries from "./outgoing.queries.ts";
import { isPublicHost } from "./public-address.ts";
import { createWebhookSecret } from "./signature.ts";

export type WebhookDeps = Pick<Deps, "db" | "now">;
/** Without `outgoing`, as in a terminal without the session secret, nothing with a secret can be created. */
export type SealingDeps = WebhookDeps & { outgoing?: Outgoing | undefined };

/** How long receivers have to change over to a new secret: a day. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/**
 * Adds a webhook: sends an address messages about events from now on. Throws VALIDATION_ERROR if the address is not
 * public, and CONFLICT if it was added with this key before, or already gets one of these events.
 */
export async function addWebhook(deps: SealingDeps, act: Act, added: NewWebhook): Promise<WebhookWithSecret> {
  const { events, key: id = uuidv7(), url } = added;
  if (!deps.outgoing?.toPrivate && !isPublicHost(new URL(url).hostname)) refusePrivate();
  const { sealed, secret } = createSecret(deps, id);
  return administer(deps, act, async (tx, note, createdAt) => {
    await queries.lockWebhookAddress(tx, toHref(url));
    if (!(await queries.insertEndpoint(tx, { id, url, events, secret: sealed, createdAt }))) refuseDuplicateId();
    await refuseDuplicateUrl(tx, { id, url, events });
    await note({ action: "webhook.added", subject: "webhook", subjectId: id, details: { url, events } });
    return { id, url, events, createdAt: createdAt.toISOString(), previousUntil: null, secret };
  });
}

function refusePrivate(): never {
  const message = "This address is not public. Use one that can be reached from the internet.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { url: [message] } });
}

function refuseDuplicateId(): never {
  throw new AppError(
    "CONFLICT",
    "This webhook was already added, and its secret was shown. If you have lost the secret, rotate it.",
  );
}

/** Refuses an address that is added twice, as after a lost response: it would get every message twice. */
async function refuseDuplicateUrl(tx: Tx, { id, url, events }: { id: string; url: string; events: AnnouncedType[] }) {
  for (const other of await queries.findAddresses(tx)) {
    const type = events.find((each) => other.events.includes(each));
    if (other.id === id || type === undefined || toHref(other.url) !== toHref(url)) continue;
    const notice = `This address already gets messages about ${type}, from the webhook ${other.id}.`;
    throw new AppError("CONFLICT", `${notice} If you have lost its secret, rotate it.`);
  }
}

/** Normalizes an address: `https://HOOKS.example.com` becomes `https://hooks.example.com/`. */
const toHref = (url: string) => new URL(url).href;

function createSecret({ outgoing }: SealingDeps, id: string) {
  if (!outgoing) throw new AppError("VALIDATION_ERROR", "This needs SESSION_SECRET, the same as the server's.");
  const secret = createWebhookSecret();
  return { secret, sealed: outgoing.seal.seal(id, secret) };
}

/**
 * Replaces the secret. The previous one also signs for another day, if it can still be decrypted. A second rotation
 * within that day replaces the newest secret, which may have been lost, and keeps the one that receivers have. Throws
 * NOT_FOUND, and CONFLICT if the secret was changed in the meantime.
 */
export async function rotateWebhook(
  deps: SealingDeps,
  act: Act,
  { id, previousUntil: expected }: WebhookName & Rotation,
): Promise<WebhookWithSecret> {
  const { sealed, secret } = createSecret(deps, id);
  const isReadable = (each: Buffer | null) => each !== null && deps.outgoing?.seal.whose(id, each) !== undefined;
  return administer(deps, act, async (tx, note, at) => {
    const endpoint = await requireEndpoint(tx, id);
    const { createdAt, events, url } = endpoint;
    const bothUntil = stillUntil(endpoint.previousUntil, at);
    if (expected !== undefined && stillUntil(toDate(expected), at) !== bothUntil) refuseOld();
    // A secret that was sealed with a lost session secret cannot sign.
    const previousSecret = [bothUntil ? endpoint.previousSecret : null, endpoint.secret].find(isReadable) ?? null;
    const previousUntil = previousSecret && new Date(at.getTime() + OVERLAP_MS);
    await queries.updateEndpoint(tx, id, { secret: sealed, previousSecret, previousUntil });
    await note({ action: "webhook.rotated", subject: "webhook", subjectId: id });
    const times = { createdAt: createdAt.toISOString(), previousUntil: previousUntil?.toISOString() ?? null };
    return { id, url, events, ...times, secret };
  });
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));

/** Returns until when the previous secret also signs, or null if that time is over. */
const stillUntil = (until: Date | null, at: Date) => (until && until > at ? until.toISOString() : null);

function refuseOld(): never {
  throw new AppError("CONFLICT", "The secret has been changed in the meantime: nothing was done.");
}

/** Removes a webhook: sends it nothing more, not even waiting messages, and forgets its secrets. Throws NOT_FOUND. */
export async function removeWebhook(deps: WebhookDeps, act: Act, { id }: WebhookName): Promise<WebhookName> {
  return administer(deps, act, async (tx, note, at) => {
    const { url } = await requireEndpoint(tx, id);
    const nothing = { secret: Buffer.alloc(0), previousSecret: null, previousUntil: null };
    await queries.updateEndpoint(tx, id, { removedAt: at, ...nothing });
    // No time limit: with one, a webhook with many waiting messages could not be removed.
    await limitStatements(tx, 0);
    await queries.giveUpAll(tx, id, { at, lastError: "The webhook was removed." });
    await note({ action: "webhook.removed", subject: "webhook", subjectId: id, details: { url } });
    return { id };
  });
}

/** Returns a webhook, locked against changes until the transaction ends. Throws NOT_FOUND. */
export async function requireEndpoint(tx: Tx, id: string): Promise<queries.EndpointRow> {
  const found = await queries.lockEndpoint(tx, id);
  if (!found) refuseUnknown();
  return found;
}

function refuseUnknown(): never {
  throw new AppError("NOT_FOUND", "There is no such webhook.");
}

/** Returns all webhooks in the order they were added. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readWebhooks({ db, now }: WebhookDeps, actor: Actor): Promise<Webhook[]> {
  await permit({ db, now }, actor);
  const found = await queries.findEndpoints(db);
  return found.map((webhook) => describeEndpoint(webhook, now()));
}

type FoundEndpoint = Awaited<ReturnType<typeof queries.findEndpoints>>[number];

function describeEndpoint(found: FoundEndpoint, at: Date): Webhook {
  const { delivered, givenUp, pausedAt, pausedBy, pausedByEmail, waiting, ...webhook } = found;
  const { createdAt, previousUntil } = webhook;
  return {
    ...webhook,
    createdAt: createdAt.toISOString(),
    previousUntil: stillUntil(previousUntil, at),
    paused: pausedAt && { at: pausedAt.toISOString(), by: describeDoer(pausedBy, pausedByEmail) },
    deliveries: { delivered, waiting, givenUp },
  };
}

/**
 * Returns a webhook's deliveries, sent or waiting, latest event first. Throws FORBIDDEN, PASSWORD_REQUIRED and
 * NOT_FOUND.
 */
export async function readDeliveries(
  { db, now }: WebhookDeps,
  actor: Actor,
  { id, ...query }: WebhookName & DeliveriesQuery,
) {
  await permit({ db, now }, actor);
  if (!(await queries.hasEndpoint(db, id))) refuseUnknown();
  const found = await queries.findDeliveries(db, id, { ...query, limit: query.limit + 1 });
  const page = { show: describeDelivery, cursor: ({ event }: Found) => event.id };
  const { items: deliveries, next } = toPage(found, query.limit, page);
  return { deliveries, next };
}

type Found = Awaited<ReturnType<typeof queries.findDeliveries>>[number];

function describeDelivery({ delivery, event }: Found): WebhookDelivery {
  const { attempts, lastError, lastStatus } = delivery;
  const state: DeliveryState = delivery.deliveredAt ? "delivered" : delivery.givenUpAt ? "given-up" : "waiting";
  const times = { at: event.at.toISOString(), lastAt: delivery.lastAt?.toISOString() ?? null };
  return { id: event.id, type: event.type, ...times, state, attempts, lastStatus, lastError };
}

/**
 * Sends one event, or all events of a time span, to a webhook again, under the same ids: at most MAX_REPLAYED, and those
 * that happened in the same millisecond as the last of them. If there are more, says when the next one happened. Throws
 * NOT_FOUND if there is no such webhook.
 */
export async function replay(deps: WebhookDeps, act: Act, { id, ...asked }: WebhookName & Replay): Promise<Replayed> {
  const { event = null, since, until, undelivered } = asked;
  return administer(deps, act, async (tx, note, at) => {
    const endpoint = await requireEndpoint(tx, id);
    const span = {
      since: since === undefined ? null : new Date(since),
      until: until === undefined ? LATER : new Date(until),
    };
    const most = MAX_REPLAYED;
    const { next, queued } = await queries.queueAgain(tx, { endpoint, event, undelivered, ...span, at, most });
    await note({ action: "webhook.replayed", subject: "webhook", subjectId: id, details: { ...asked, queued } });
    return { queued, next: next?.toISOString() ?? null };
  });
}

/** The end of a time span without one. */
const LATER = new Date("9999-12-31T00:00:00Z");
