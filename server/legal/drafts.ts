import { administratorIdOf, describeDoer, type Act, type Actor } from "../administration/actor.ts";
import { administer, permit } from "../administration/service.ts";
import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { addDays, utcDay } from "../points/utc-day.ts";
import { LegalDocumentName, type LegalDraftInput, type LegalDraftSummary, type LegalEditing } from "./contract.ts";
import { DOCUMENTS, findCurrent, listVersions, type VersionOf } from "./documents.ts";
import { hashText, type LegalText } from "./legal-text.ts";
import * as queries from "./queries.ts";
import { describeText, describeVersions } from "./service.ts";
import { readSource, writeSource } from "./source.ts";

type DraftDeps = Pick<Deps, "db" | "now">;
type Named = { document: LegalDocumentName };
type Seen = Named & { revision: number };

const CHANGED = "Somebody has changed the draft in the meantime. Look at it again.";

/**
 * Lists the documents that members accept, and whether a next version is being written. Throws FORBIDDEN and
 * PASSWORD_REQUIRED.
 */
export async function readDrafts({ db, now }: DraftDeps, actor: Actor): Promise<LegalDraftSummary[]> {
  await permit({ db, now }, actor);
  const summaries: LegalDraftSummary[] = [];
  for (const document of LegalDocumentName.options) {
    const versions = await readVersions(db, document);
    const draft = await queries.findDraft(db, document);
    const { title } = await findNewest(db, document, versions);
    summaries.push({
      document,
      title,
      versions: describeVersions({ versions, current: findCurrent<VersionOf>(versions, now()) }),
      draftSavedAt: draft?.savedAt.toISOString() ?? null,
    });
  }
  return summaries;
}

/** Returns a document's draft, and how members will read it. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readEditing({ db, now }: DraftDeps, actor: Actor, { document }: Named): Promise<LegalEditing> {
  await permit({ db, now }, actor);
  return describeEditing(db, { document, at: now() });
}

async function describeEditing(db: Db | Tx, { document, at }: Named & { at: Date }): Promise<LegalEditing> {
  const versions = await readVersions(db, document);
  const [found, newest] = [await queries.findDraft(db, document), await findNewest(db, document, versions)];
  const { title, sections } = newest;
  const current = findCurrent<VersionOf>(versions, at);
  const effectiveFrom = firstDay(newest, at);
  return {
    document,
    versions: describeVersions({ versions, current }),
    draft: found ? describeDraft(found) : null,
    preview: found ? describeText(toText(found, newest), { versions, current }) : null,
    start: { title, changes: "", source: writeSource(sections), effectiveFrom, revision: 0 },
  };
}

type FoundDraft = NonNullable<Awaited<ReturnType<typeof queries.findDraft>>>;

const describeDraft = ({ title, changes, source, effectiveFrom, revision, savedAt, savedBy, email }: FoundDraft) => ({
  title,
  changes,
  source,
  effectiveFrom,
  revision,
  savedAt: savedAt.toISOString(),
  savedBy: describeDoer(savedBy, email),
});

const readVersions = async (db: Db | Tx, document: LegalDocumentName) =>
  listVersions(document, await queries.findPublished(db, document));

async function findNewest(db: Db | Tx, document: LegalDocumentName, versions: readonly [VersionOf, ...VersionOf[]]) {
  const { version } = versions.at(-1) ?? versions[0];
  const published = await queries.findText(db, document, version);
  const newest = published ?? DOCUMENTS[document].find((each) => each.version === version);
  if (!newest) throw new Error("The newest version has a text");
  return newest;
}

/** Returns the version that a draft will become. Throws VALIDATION_ERROR if its source is invalid. */
const toText = ({ title, changes, source, effectiveFrom }: Omit<LegalDraftInput, "revision">, newest: VersionOf) =>
  ({ title, changes, effectiveFrom, version: newest.version + 1, sections: readSource(source) }) satisfies LegalText;

/**
 * Returns the first day on which a next version can be in force. It is never today, so that members can read it before
 * they are asked about it.
 */
function firstDay({ effectiveFrom }: VersionOf, at: Date): string {
  const [tomorrow, next] = [utcDay(addDays(at, 1)), utcDay(addDays(new Date(effectiveFrom), 1))];
  return tomorrow > next ? tomorrow : next;
}

/**
 * Throws VALIDATION_ERROR for a day that is too early or too late. No version ever changes, and none can precede the
 * last, so a mistyped year would stay for good.
 */
function checkDay(given: string, newest: VersionOf, at: Date): void {
  const [first, last] = [firstDay(newest, at), utcDay(addDays(at, 366))];
  if (given >= first && given <= last) return;
  const problem =
    given < first
      ? `The first possible day is ${first} (UTC): after today and after the previous version.`
      : `The last possible day is ${last} (UTC), a year from now. Check the year.`;
  throw new AppError("VALIDATION_ERROR", problem, { fields: { effectiveFrom: [problem] } });
}

/**
 * Saves the draft of the next version. Saving the same again changes nothing. Throws CONFLICT if the draft has changed
 * since it was seen, and VALIDATION_ERROR for a draft that could not be published.
 */
export async function saveDraft(deps: DraftDeps, act: Act, input: Named & LegalDraftInput): Promise<LegalEditing> {
  const { document, revision } = input;
  return administer(deps, act, async (tx, note, at) => {
    const newest = await findNewest(tx, document, await readVersions(tx, document));
    checkDay(input.effectiveFrom, newest, at);
    toText(input, newest);
    const draft = { ...input, savedAt: at, savedBy: administratorIdOf(act.actor) };
    const saved = await (revision === 0 ? queries.insertDraft(tx, draft) : queries.updateDraft(tx, draft));
    if (saved !== undefined) {
      const details = { revision: saved };
      await note({ action: "document.saved", subject: "document", subjectId: document, details });
    } else if (!isSentAgain(draft, await queries.findDraft(tx, document))) {
      throw new AppError("CONFLICT", CHANGED);
    }
    return describeEditing(tx, { document, at });
  });
}

/** Whether the draft has changed only because the same administrator has just saved exactly this. */
function isSentAgain({ revision, ...sent }: Omit<FoundDraft, "email">, found: FoundDraft | undefined): boolean {
  if (!found || (revision !== 0 && found.revision !== revision + 1)) return false;
  return (["title", "changes", "source", "effectiveFrom", "savedBy"] as const).every(
    (name) => found[name] === sent[name],
  );
}

/**
 * Discards the draft. Throws CONFLICT if it has changed since it was seen, unless the same actor has just discarded it.
 */
export async function discardDraft(deps: DraftDeps, act: Act, { document, revision }: Seen): Promise<LegalEditing> {
  return administer(deps, act, async (tx, note, at) => {
    const action = "document.discarded";
    if (await queries.deleteDraft(tx, document, revision)) {
      await note({ action, subject: "document", subjectId: document, details: { revision } });
    } else if (!(await queries.hasEnded(tx, { document, revision, action, actorId: administratorIdOf(act.actor) }))) {
      throw new AppError("CONFLICT", CHANGED);
    }
    return describeEditing(tx, { document, at });
  });
}

/**
 * Publishes the draft that was seen as the next version. It is announced now, is in force from its first day on, and
 * never changes. Repeating it changes nothing. Throws CONFLICT if the draft has changed since it was seen, and
 * VALIDATION_ERROR if its day has come.
 */
export async function publishDraft(deps: DraftDeps, act: Act, { document, revision }: Seen): Promise<LegalEditing> {
  return administer(deps, act, async (tx, note, at) => {
    const action = "document.published";
    // If two publish at once, the second finds no draft.
    const draft = await queries.deleteDraft(tx, document, revision);
    if (!draft && (await queries.hasEnded(tx, { document, revision, action, actorId: administratorIdOf(act.actor) }))) {
      return describeEditing(tx, { document, at });
    }
    if (!draft) throw new AppError("CONFLICT", CHANGED);
    const newest = await findNewest(tx, document, await readVersions(tx, document));
    checkDay(draft.effectiveFrom, newest, at);
    const text = toText(draft, newest);
    const textHash = hashText(text);
    if (!(await queries.insertVersion(tx, { ...text, document, textHash, publishedAt: at }))) {
      throw new AppError("CONFLICT", CHANGED);
    }
    const { effectiveFrom, version } = text;
    await note({
      action,
      subject: "document",
      subjectId: document,
      details: { revision, version, effectiveFrom, sha256: textHash.toString("hex") },
    });
    return describeEditing(tx, { document, at });
  });
}
