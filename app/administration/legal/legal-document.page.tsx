import * as z from "zod";
import { LegalDraftInput, type LegalDocumentName, type LegalEditing } from "../../../server/legal/contract.ts";
import { LegalDocumentPage } from "../../legal/legal-document.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Link } from "../../ui/link.tsx";
import { formatDay } from "../../ui/time.tsx";
import { ActionForm, Folded, isReturned, TextArea } from "../action-form.tsx";
import { defineForm, definePage, type Shown } from "../page.ts";
import { Facts, StaleFormNotice, Moment, formatActor } from "../parts.tsx";

const { revision, ...written } = LegalDraftInput.shape;

const saveForm = defineForm({
  intent: "save-draft",
  schema: z.object({ ...written, revision }),
  async send(draft, { api, params: { document = "" } }) {
    await api.legal.save(document, draft);
    return { note: "draft-saved" };
  },
});

const publishForm = defineForm({
  intent: "publish-draft",
  schema: z.object({ revision }),
  confirm: "I have read all of it. Once published it never changes.",
  async send(seen, { api, params: { document = "" } }) {
    const { versions } = await api.legal.publish(document, { revision: seen.revision, reason: seen.reason });
    return { note: "document-published", about: String(versions[0]?.version ?? "") };
  },
});

const discardForm = defineForm({
  intent: "discard-draft",
  schema: z.object({ revision }),
  confirm: "I understand that the draft is deleted.",
  async send(seen, { api, params: { document = "" } }) {
    await api.legal.discard(document, { revision: seen.revision, reason: seen.reason });
    return { note: "draft-discarded" };
  },
});

const PLACES: Record<LegalDocumentName, string> = { tos: "/terms", pp: "/privacy" };

export const legalDocumentPage = definePage({
  path: "legal/:document",
  title: "Legal document",
  within: "legal",
  load: ({ api, params: { document = "" } }) => api.legal.editing(document),
  forms: [saveForm, publishForm, discardForm],
  Page: ({ data, shown }) => (
    <div className="grid gap-4.5">
      <StaleFormNotice shown={shown} forms={[publishForm, discardForm]} isDrawn={() => data.draft !== null} />
      <div className="admin-columns">
        <Card title={data.draft ? "The draft" : "Write a new version"}>
          <DraftForm editing={data} shown={shown} />
        </Card>
        <div className="grid gap-4.5">
          {data.draft && <Publishing document={data.document} draft={data.draft} shown={shown} />}
          <Versions editing={data} />
        </div>
      </div>
      {data.preview && (
        <Card title="As members will read it">
          <LegalDocumentPage document={data.preview} title={data.preview.title} href={PLACES[data.document]} />
        </Card>
      )}
    </div>
  ),
});

function DraftForm({ editing: { draft, start }, shown }: { editing: LegalEditing; shown: Shown }) {
  const { title, changes, source, effectiveFrom, revision } = draft ?? start;
  return (
    <ActionForm
      form={saveForm}
      shown={shown}
      submit="Save the draft"
      seen={{ revision: String(revision) }}
      defaults={{ title, changes, source, effectiveFrom }}
    >
      {(field) => (
        <>
          <div className="admin-pair">
            <Field {...field("title")} label="Title" required maxLength={120} />
            <Field
              {...field("effectiveFrom")}
              label="In force from"
              type="date"
              min={start.effectiveFrom}
              required
              hint={`From 00:00 UTC of that day; ${formatDay(start.effectiveFrom)} at the earliest, a year from now at the latest.`}
            />
          </div>
          <TextArea
            {...field("changes")}
            label="What changed"
            hint="In a few sentences: members read them first."
            rows={3}
            maxLength={2000}
          />
          <TextArea
            {...field("source")}
            label="Text"
            className="admin-source"
            hint="Begin a section with ##, and give it an address in {#…} if you like. Leave an empty line between paragraphs. Begin a point with -. Everything else is shown as you type it."
            rows={24}
            maxLength={60_000}
          />
        </>
      )}
    </ActionForm>
  );
}

/**
 * Who is asked to accept a document. For the terms, only members on the whitelist (product specification, section 4).
 */
const ASKED: Record<LegalDocumentName, string> = { tos: "members on the whitelist are", pp: "everybody is" };

type PublishingProps = { document: LegalDocumentName; draft: NonNullable<LegalEditing["draft"]>; shown: Shown };

function Publishing({ document, draft, shown }: PublishingProps) {
  const seen = { revision: String(draft.revision) };
  return (
    <Card title="Publish the draft">
      <div className="grid gap-4.5">
        <p className="text-ink-2">
          Members can read it at once, as an announcement. It is in force from {formatDay(draft.effectiveFrom)}, 00:00
          UTC, and {ASKED[document]} then asked to accept it. This publishes the saved draft, without unsaved changes in
          the form.
        </p>
        <Facts
          facts={[
            ["Saved", <Moment key="saved" at={draft.savedAt} />],
            ["By", formatActor(draft.savedBy)],
          ]}
        />
        <div className="admin-folds">
          <Folded title="Publish" isOpen={isReturned(shown, publishForm)}>
            <ActionForm
              form={publishForm}
              shown={shown}
              seen={seen}
              submit={`Publish, in force from ${formatDay(draft.effectiveFrom)}`}
            />
          </Folded>
          <Folded title="Discard the draft" isOpen={isReturned(shown, discardForm)}>
            <ActionForm form={discardForm} shown={shown} seen={seen} submit="Discard the draft" />
          </Folded>
        </div>
      </div>
    </Card>
  );
}

const Versions = ({ editing: { document, versions } }: { editing: LegalEditing }) => (
  <Card title="Published versions">
    <ul className="grid gap-1">
      {versions.map(({ version, effectiveFrom, standing }) => (
        <li key={version}>
          <Link to={`${PLACES[document]}/${version}`} className="underline">
            Version {version}
          </Link>
          , from {formatDay(effectiveFrom)}: {STANDINGS[standing]}
        </li>
      ))}
    </ul>
  </Card>
);

const STANDINGS = { current: "in force", past: "no longer in force", announced: "announced" };
