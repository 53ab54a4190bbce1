import { uuidv7 } from "uuidv7";
import type { Act, Actor } from "../administration/actor.ts";
import { administer, permit } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import { afterCommit } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { PartId, type Incident, type IncidentName, type IncidentUpdate, type NewIncident } from "./contract.ts";
import * as queries from "./queries.ts";

/** Commands at a terminal have no board. That of the server updates itself. */
type IncidentDeps = Pick<Deps, "db" | "now"> & Partial<Pick<Deps, "status">>;

/**
 * Lists incidents that are open or were resolved in the last 90 days, the latest first. Throws FORBIDDEN and
 * PASSWORD_REQUIRED.
 */
export async function readIncidents({ db, now }: IncidentDeps, actor: Actor): Promise<Incident[]> {
  await permit({ db, now }, actor);
  const found = await queries.findIncidents(db, { now: now() });
  return found.map(describeIncident);
}

/**
 * Reports an incident to members. Throws VALIDATION_ERROR if it starts in the future, and CONFLICT if the key belongs
 * to a different one.
 */
export async function openIncident(deps: IncidentDeps, act: Act, wanted: NewIncident): Promise<Incident> {
  return administer(deps, act, async (tx, note, at) => {
    const { impact, key: id = uuidv7(), part, text, title } = wanted;
    const startedAt = wanted.startedAt === undefined ? at : new Date(wanted.startedAt);
    if (startedAt > at) refuseFuture();
    if (!(await queries.insertIncident(tx, { id, title, part, impact, startedAt }))) {
      const current = await readChanged(deps, tx, id);
      if (isSame(current, wanted)) return current;
      throw new AppError(
        "CONFLICT",
        "This form has already reported something else. Send it again to report this too.",
      );
    }
    await queries.insertUpdate(tx, { incidentId: id, id: uuidv7(), at, text });
    const details = { title, part, impact, startedAt: startedAt.toISOString(), text };
    await note({ action: "incident.opened", subject: "incident", subjectId: id, details });
    return readChanged(deps, tx, id);
  });
}

function refuseFuture(): never {
  const message = "The start cannot be in the future.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { startedAt: [message] } });
}

/** Whether an existing incident is the same as the requested one. An update may have changed its impact since. */
const isSame = ({ impact, part, startedAt, title, updates }: Incident, wanted: NewIncident): boolean =>
  title === wanted.title &&
  part === wanted.part &&
  updates.at(-1)?.text === wanted.text &&
  (impact === wanted.impact || updates.length > 1) &&
  (wanted.startedAt === undefined || Date.parse(startedAt) === Date.parse(wanted.startedAt));

/** Publishes an update of an open incident. Throws NOT_FOUND and CONFLICT. */
export async function updateIncident(
  deps: IncidentDeps,
  act: Act,
  { id, impact, key = uuidv7(), text }: IncidentName & IncidentUpdate,
): Promise<Incident> {
  return administer(deps, act, async (tx, note, at) => {
    await requireOpen(tx, id);
    const update = { incidentId: id, id: key, text };
    if (!(await queries.insertUpdate(tx, { ...update, at }))) {
      if (await queries.isUpdate(tx, update)) return readChanged(deps, tx, id);
      throw new AppError("CONFLICT", "This form has already posted something else. Send it again to post this too.");
    }
    if (impact) await queries.changeIncident(tx, id, { impact });
    await note({ action: "incident.updated", subject: "incident", subjectId: id, details: { impact, text } });
    return readChanged(deps, tx, id);
  });
}

/** Resolves an incident. Throws NOT_FOUND, and CONFLICT if it is already resolved. */
export async function resolveIncident(
  deps: IncidentDeps,
  act: Act,
  { id, text }: IncidentName & { text: string },
): Promise<Incident> {
  return administer(deps, act, async (tx, note, at) => {
    const { startedAt } = await requireOpen(tx, id);
    // The clock of the process that opened it may be ahead, and no incident ends before it starts.
    await queries.changeIncident(tx, id, { resolvedAt: at > startedAt ? at : startedAt });
    await queries.insertUpdate(tx, { incidentId: id, id: uuidv7(), at, text });
    await note({ action: "incident.resolved", subject: "incident", subjectId: id, details: { text } });
    return readChanged(deps, tx, id);
  });
}

async function requireOpen(tx: Tx, id: string): Promise<queries.IncidentRow> {
  const found = await queries.lockIncident(tx, id);
  if (!found) throw new AppError("NOT_FOUND", "There is no such incident.");
  if (found.resolvedAt) throw new AppError("CONFLICT", "That incident is already resolved. Report a new one.");
  return found;
}

async function readChanged({ status }: IncidentDeps, tx: Tx, id: string): Promise<Incident> {
  afterCommit(() => status?.refresh());
  const [found] = await queries.findIncidents(tx, { id });
  if (!found) throw new Error("an incident is not there that was written a moment ago");
  return describeIncident(found);
}

type Found = Awaited<ReturnType<typeof queries.findIncidents>>[number];

export function describeIncident({ impact, part, resolvedAt, startedAt, updates, ...incident }: Found): Incident {
  return {
    ...incident,
    impact,
    // A part that no longer exists becomes null.
    part: PartId.safeParse(part).data ?? null,
    startedAt: startedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    updates: updates.map(({ at, text }) => ({ at: at.toISOString(), text })),
  };
}
