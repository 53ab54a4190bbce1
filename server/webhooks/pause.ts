import { administratorIdOf, type Act } from "../administration/actor.ts";
import { administer } from "../administration/service.ts";
import { limitStatements } from "../db/transaction.ts";
import * as backlog from "./backlog.queries.ts";
import type { WebhookName, WebhookPauseChanged } from "./contract.ts";
import { requireEndpoint, type WebhookDeps } from "./endpoints.ts";
import { updateEndpoint } from "./outgoing.queries.ts";

/**
 * Pauses a webhook: sends it nothing until it is resumed, while messages wait. Changes nothing if it is paused already.
 * A message that a worker is sending at this moment may still arrive. Throws NOT_FOUND.
 */
export async function pauseWebhook(deps: WebhookDeps, act: Act, { id }: WebhookName): Promise<WebhookPauseChanged> {
  return administer(deps, act, async (tx, note, at) => {
    const { pausedAt } = await requireEndpoint(tx, id);
    const waiting = await backlog.countWaiting(tx, id);
    if (pausedAt) return { id, changed: false, waiting };
    // No time limit: with one, a webhook with many waiting messages could not be paused.
    await limitStatements(tx, 0);
    await updateEndpoint(tx, id, { pausedAt: at, pausedBy: administratorIdOf(act.actor) });
    // Messages that are due, or wait for a retry, now wait like later ones.
    await backlog.dropJobs(tx, id);
    await note({ action: "webhook.paused", subject: "webhook", subjectId: id, details: { waiting } });
    return { id, changed: true, waiting };
  });
}

/** Resumes a webhook: sends what waited, oldest first, and new messages from now on. Throws NOT_FOUND. */
export async function resumeWebhook(deps: WebhookDeps, act: Act, { id }: WebhookName): Promise<WebhookPauseChanged> {
  return administer(deps, act, async (tx, note, at) => {
    const { pausedAt } = await requireEndpoint(tx, id);
    const waiting = await backlog.countWaiting(tx, id);
    if (!pausedAt) return { id, changed: false, waiting };
    await limitStatements(tx, 0);
    await updateEndpoint(tx, id, { pausedAt: null, pausedBy: null });
    // Messages that no worker has picked up yet belong in the same order.
    await backlog.dropJobs(tx, id);
    await backlog.queueBacklog(tx, id, at);
    await note({ action: "webhook.resumed", subject: "webhook", subjectId: id, details: { waiting } });
    return { id, changed: true, waiting };
  });
}
