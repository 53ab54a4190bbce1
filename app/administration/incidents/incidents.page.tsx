import * as z from "zod";
import {
  IMPACT_NAMES,
  IncidentName,
  IncidentUpdate,
  NewIncident,
  PART_NAMES,
  type Incident,
} from "../../../server/status/contract.ts";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Pill } from "../../ui/pill.tsx";
import { ActionForm, Folded, isReturned, TextArea } from "../action-form.tsx";
import { defineForm, definePage, type Shown } from "../page.ts";
import { StaleFormNotice, Moment, SelectField } from "../parts.tsx";

const NONE = "none";

const openForm = defineForm({
  intent: "open-incident",
  schema: NewIncident.omit({ startedAt: true }).extend({
    // One part of the service, or none.
    part: z.union([z.literal(NONE).transform(() => null), NewIncident.shape.part]),
    key: z.uuid(),
  }),
  async send(incident, { api }) {
    await api.incidents.open(incident);
    return { note: "incident-opened" };
  },
});

const updateForm = defineForm({
  intent: "update-incident",
  schema: IncidentUpdate.extend({ ...IncidentName.shape, key: z.uuid() }),
  async send({ id, ...update }, { api }) {
    await api.incidents.update(id, update);
    return { note: "incident-updated" };
  },
});

const resolveForm = defineForm({
  intent: "resolve-incident",
  schema: IncidentUpdate.pick({ text: true }).extend(IncidentName.shape),
  async send({ id, ...last }, { api }) {
    await api.incidents.resolve(id, last);
    return { note: "incident-resolved" };
  },
});

/** Incidents, as members see them. Open ones can be updated and resolved. */
export const incidentsPage = definePage({
  path: "incidents",
  title: "Incidents",
  navigation: { label: "Incidents", icon: "alert" },
  // The key makes a form that is sent twice open one incident, or publish one update.
  load: async ({ api }) => ({ incidents: await api.incidents.list(), key: crypto.randomUUID() }),
  forms: [openForm, updateForm, resolveForm],
  Page: ({ data: { incidents, key }, shown }) => (
    <div className="grid gap-4.5">
      <StaleFormNotice
        shown={shown}
        forms={[updateForm, resolveForm]}
        isDrawn={(about) => incidents.some(({ id, resolvedAt }) => id === about && !resolvedAt)}
        written="text"
      />
      {incidents.map((incident) => (
        <Card key={incident.id} title={incident.title} aside={<State {...incident} />}>
          <OneIncident incident={incident} updateKey={key} shown={shown} />
        </Card>
      ))}
      <Card title="Report an incident" className="max-w-190">
        <ActionForm
          form={openForm}
          shown={shown}
          seen={{ key }}
          defaults={{ part: NONE, impact: "degraded" }}
          submit="Publish on the status page"
        >
          {(field) => (
            <>
              <Field {...field("title")} label="Title, as members see it" required maxLength={120} />
              <SelectField {...field("part")} label="Part" options={PARTS} />
              <SelectField {...field("impact")} label="Impact" options={IMPACTS} />
              <TextArea {...field("text")} label="What we know" rows={3} maxLength={2000} />
            </>
          )}
        </ActionForm>
      </Card>
    </div>
  ),
});

const NO_PART = "All parts, or none in particular";

const PARTS = [{ value: NONE, label: NO_PART }].concat(
  Object.entries(PART_NAMES).map(([value, label]) => ({ value, label })),
);

const IMPACTS = Object.entries(IMPACT_NAMES).map(([value, label]) => ({ value, label }));

function State({ resolvedAt, impact }: Incident) {
  return resolvedAt ? <Pill tone="mute">Resolved</Pill> : <Pill tone="warn">{IMPACT_NAMES[impact]}</Pill>;
}

type OneIncidentProps = { incident: Incident; updateKey: string; shown: Shown };

function OneIncident({ incident, updateKey, shown }: OneIncidentProps) {
  const { id, impact, part, resolvedAt, startedAt, updates } = incident;
  return (
    <div className="grid gap-4">
      <p className="text-small text-ink-2">
        {part ? PART_NAMES[part] : NO_PART}, from <Moment at={startedAt} />
        {resolvedAt && (
          <>
            {" until "}
            <Moment at={resolvedAt} />
          </>
        )}
      </p>
      <ol className="grid gap-4 border-s-2 border-line ps-3.5">
        {updates.map(({ at, text }) => (
          <li key={at + text}>
            <span className="text-hint text-ink-2">
              <Moment at={at} />
            </span>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ol>
      {!resolvedAt && (
        <div className="admin-folds">
          <Folded title="Publish an update" about={incident.title} isOpen={isReturned(shown, updateForm, id)}>
            <ActionForm
              form={updateForm}
              shown={shown}
              about={id}
              hidden={{ id }}
              seen={{ key: updateKey }}
              defaults={{ impact }}
              submit="Publish the update"
            >
              {(field) => (
                <>
                  <SelectField {...field("impact")} label="Impact" options={IMPACTS} />
                  <TextArea {...field("text")} label="What we know" rows={3} maxLength={2000} />
                </>
              )}
            </ActionForm>
          </Folded>
          <Folded title="Resolve the incident" about={incident.title} isOpen={isReturned(shown, resolveForm, id)}>
            <ActionForm form={resolveForm} shown={shown} about={id} hidden={{ id }} submit="Mark as resolved">
              {(field) => <TextArea {...field("text")} label="What happened" rows={3} maxLength={2000} />}
            </ActionForm>
          </Folded>
        </div>
      )}
    </div>
  );
}
