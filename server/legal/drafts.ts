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

/** The documents that members accept, and whether a next version is being written. Throws FORBIDDEN. */
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

/** A document's draft and how members will read it. Throws FORBIDDEN. */
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

/** The version that a draft will be. */
const toText = ({ title, changes, source, effectiveFrom }: Omit<LegalDraftInput, "revision">, newest: VersionOf) =>
  ({ title, changes, effectiveFrom, version: newest.version + 1, sections: readSource(source) }) satisfies LegalText;

/** The first day that a next version can hold from: nobody is asked about what they could not have read before. */
function firstDay({ effectiveFrom }: VersionOf, at: Date): string {
  const [tomorrow, next] = [utcDay(addDays(at, 1)), utcDay(addDays(new Date(effectiveFrom), 1))];
  return tomorrow > next ? tomorrow : next;
}

/**
 * No version after it could hold earlier, and none is ever changed: a year that was mistyped would be there for good.
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
 * Keeps what the next version is to be. Throws CONFLICT where the draft is not the one that was seen, and
 * VALIDATION_ERROR for what could not be published.
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

/** Whether a draft that is not the one that was seen is what the same administrator has just made of it. */
function isSentAgain({ revision, ...sent }: Omit<FoundDraft, "email">, found: FoundDraft | undefined): boolean {
  if (!found || (revision !== 0 && found.revision !== revision + 1)) return false;
  return (["title", "changes", "source", "effectiveFrom", "savedBy"] as const).every(
    (name) => found[name] === sent[name],
  );
}

/**
 * Throws the draft away. Throws CONFLICT where it is not the one that was seen, unless the same actor has just done it.
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
 * Publishes the draft that was seen as the next version. It is announced from now on, holds from its first day on, and
 * never changes. Sent again, it is done. Throws CONFLICT where the draft is another one by now, and VALIDATION_ERROR
 * where its day has come.
 */
export async function publishDraft(deps: DraftDeps, act: Act, { document, revision }: Seen): Promise<LegalEditing> {
  return administer(deps, act, async (tx, note, at) => {
    const action = "document.published";
    // Of two who publish at once the second one finds no draft any more.
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
