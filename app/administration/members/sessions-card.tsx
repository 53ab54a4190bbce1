import type { MemberAccount } from "../../../server/member-administration/contract.ts";
import { Card } from "../../ui/card.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { Time } from "../../ui/time.tsx";
import { ActionForm, Folded, isReturned } from "../action-form.tsx";
import type { Shown } from "../page.ts";
import { endSessionForm, endSessionsForm } from "./member-forms.ts";

const listColumns = (shown: Shown): Column<MemberAccount["sessions"][number]>[] => [
  { head: "Device", cell: ({ device }) => device },
  { head: "Network", cell: ({ network }) => <span className="num">{network ?? "Unknown"}</span> },
  { head: "Since", cell: ({ createdAt }) => <Time dateTime={createdAt} /> },
  { head: "Last used", cell: ({ lastSeenAt }) => <Time dateTime={lastSeenAt} /> },
  { head: "Change", cell: ({ id }) => <EndSession id={id} shown={shown} /> },
];

function EndSession({ id, shown }: { id: string; shown: Shown }) {
  return (
    <Folded title="Sign out" isOpen={isReturned(shown, endSessionForm, id)}>
      <ActionForm
        form={endSessionForm}
        shown={shown}
        about={id}
        hidden={{ session: id }}
        submit="Sign out on this device"
      />
    </Folded>
  );
}

/** Where a member is signed in, and how that ends. */
export function SessionsCard({ member: { sessions }, shown }: { member: MemberAccount; shown: Shown }) {
  if (sessions.length === 0) {
    return (
      <Card title="Sessions">
        <p className="text-ink-2">Not signed in anywhere.</p>
      </Card>
    );
  }
  return (
    <Card title="Sessions" padded={false}>
      <Table caption="Sessions" rows={sessions} rowKey={({ id }) => id} columns={listColumns(shown)} />
      <div className="border-t border-line px-4.5 py-3">
        <Folded title="Sign out everywhere" isOpen={isReturned(shown, endSessionsForm)}>
          <ActionForm form={endSessionsForm} shown={shown} submit="Sign out everywhere" />
        </Folded>
      </div>
    </Card>
  );
}
