import { administratorIdOf, type Act } from "../administration/actor.ts";
import { administer } from "../administration/service.ts";
import { limitStatements } from "../db/transaction.ts";
import * as backlog from "./backlog.queries.ts";
import type { WebhookName, WebhookPauseChanged } from "./contract.ts";
import { requireEndpoint, type WebhookDeps } from "./endpoints.ts";
import { updateEndpoint } from "./outgoing.queries.ts";

/**
 * Sends an address nothing more until it is resumed; what happens meanwhile waits. Of one that is paused nothing
 * changes. A message that somebody has in hand at this moment may still arrive. Throws NOT_FOUND.
 */
export async function pauseWebhook(deps: WebhookDeps, act: Act, { id }: WebhookName): Promise<WebhookPauseChanged> {
  return administer(deps, act, async (tx, note, at) => {
    const { pausedAt } = await requireEndpoint(tx, id);
    const waiting = await backlog.countWaiting(tx, id);
    if (pausedAt) return { id, changed: false, waiting };
    // However much waits: cut off, it would not be paused.
    await limitStatements(tx, 0);
    await updateEndpoint(tx, id, { pausedAt: at, pausedBy: administratorIdOf(act.actor) });
    // What is due, or is to be tried again, waits as what comes later does.
    await backlog.dropJobs(tx, id);
    await note({ action: "webhook.paused", subject: "webhook", subjectId: id, details: { waiting } });
    return { id, changed: true, waiting };
  });
}

/** Sends an address what waited, the oldest message first, and what happens from now on. Throws NOT_FOUND. */
export async function resumeWebhook(deps: WebhookDeps, act: Act, { id }: WebhookName): Promise<WebhookPauseChanged> {
  return administer(deps, act, async (tx, note, at) => {
    const { pausedAt } = await requireEndpoint(tx, id);
    const waiting = await backlog.countWaiting(tx, id);
    if (!pausedAt) return { id, changed: false, waiting };
    await limitStatements(tx, 0);
    await updateEndpoint(tx, id, { pausedAt: null, pausedBy: null });
    // What no worker has come to yet is part of the same order.
    await backlog.dropJobs(tx, id);
    await backlog.queueBacklog(tx, id, at);
    await note({ action: "webhook.resumed", subject: "webhook", subjectId: id, details: { waiting } });
    return { id, changed: true, waiting };
  });
}
