import * as z from "zod";
import { MemberName, type Administrator } from "../../../server/administration/contract.ts";
import { EmailField } from "../../forms/email-field.tsx";
import { Card } from "../../ui/card.tsx";
import { Pill } from "../../ui/pill.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ActionForm, Folded, isReturned, MEMBER_HINT } from "../action-form.tsx";
import { moveNotFoundToField } from "../named-member.ts";
import { defineForm, definePage, type Shown } from "../page.ts";
import { StaleFormNotice, MemberLink, Moment } from "../parts.tsx";

const addForm = defineForm({
  intent: "add-administrator",
  schema: z.object({ who: MemberName }),
  async send({ who, reason }, { api }) {
    const { email, changed } = await moveNotFoundToField("who", api.administrators.add({ member: who, reason }));
    return { note: changed ? "administrator-added" : "administrator-there", about: email };
  },
});

const removeForm = defineForm({
  intent: "remove-administrator",
  schema: z.object({ who: MemberName }),
  async send({ who, reason }, { api }) {
    const { email, changed } = await api.administrators.remove({ member: who, reason });
    return { note: changed ? "administrator-removed" : "administrator-gone", about: email };
  },
});

const listColumns = (shown: Shown): Column<Administrator>[] => [
  { head: "Email", cell: (row) => <Name administrator={row} /> },
  { head: "Since", cell: ({ since }) => <Moment at={since} /> },
  {
    head: "Added by",
    cell: ({ addedBy, addedByEmail }) => addedByEmail ?? addedBy ?? "The operator",
    className: "min-w-40 wrap-anywhere",
  },
  { head: "Actions", cell: (row) => <Remove administrator={row} shown={shown} /> },
];

/** The administrators, and the forms to add and remove them. */
export const administratorsPage = definePage({
  path: "administrators",
  title: "Administrators",
  navigation: { label: "Administrators", icon: "person" },
  load: ({ api }) => api.administrators.list(),
  forms: [addForm, removeForm],
  Page: ({ data: { administrators }, shown }) => (
    <div className="grid gap-4.5">
      <StaleFormNotice
        shown={shown}
        forms={[removeForm]}
        isDrawn={(about) => administrators.some(({ id }) => id === about)}
      />
      <Card title="Administrators" padded={false}>
        <Table caption="Administrators" rows={administrators} rowKey={({ id }) => id} columns={listColumns(shown)} />
      </Card>
      <Card title="Add an administrator" className="max-w-190">
        <ActionForm form={addForm} shown={shown} submit="Add administrator" reasonHint={MEMBER_HINT}>
          {(field) => <EmailField {...field("who")} label="Email or id of the member" type="text" autoComplete="off" />}
        </ActionForm>
      </Card>
    </div>
  ),
});

const Name = ({ administrator }: { administrator: Administrator }) => (
  <span className="grid justify-items-start gap-0.5">
    <MemberLink member={administrator} />
    {administrator.blockedAt && <Pill tone="warn">Blocked</Pill>}
  </span>
);

function Remove({ administrator: { id, email }, shown }: { administrator: Administrator; shown: Shown }) {
  return (
    <Folded title="Remove" about={email ?? id} isOpen={isReturned(shown, removeForm, id)}>
      {id === shown.administrator.id && (
        <p className="mb-3 text-ink-2">This is you: these pages close for you at once.</p>
      )}
      <ActionForm
        form={removeForm}
        shown={shown}
        about={id}
        hidden={{ who: id }}
        submit="Remove as administrator"
        reasonHint={MEMBER_HINT}
      />
    </Folded>
  );
}
