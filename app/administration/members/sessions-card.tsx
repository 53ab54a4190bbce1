import type { MemberAccount } from "../../../server/member-administration/contract.ts";
import { Card } from "../../ui/card.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { formatUtc } from "../../ui/time.tsx";
import { ActionForm, Folded, isReturned, MEMBER_HINT } from "../action-form.tsx";
import type { Shown } from "../page.ts";
import { endSessionForm, endSessionsForm } from "./member-forms.ts";
import { Moment } from "../parts.tsx";

type Session = MemberAccount["sessions"][number];
type EndSessionProps = { session: Session; shown: Shown };

const listColumns = (shown: Shown): Column<Session>[] => [
  { head: "Device", cell: ({ device }) => device },
  { head: "Network", cell: ({ network }) => (network ? <span className="num">{network}</span> : "Unknown") },
  { head: "Since", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { head: "Last used", cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
  { head: "Actions", cell: (session) => <EndSession session={session} shown={shown} /> },
];

function EndSession({ session: { createdAt, device, id }, shown }: EndSessionProps) {
  return (
    <Folded
      title="Sign out"
      about={`${device}, since ${formatUtc(createdAt)}`}
      isOpen={isReturned(shown, endSessionForm, id)}
    >
      <ActionForm
        form={endSessionForm}
        shown={shown}
        about={id}
        hidden={{ session: id }}
        submit="Sign out on this device"
        reasonHint={MEMBER_HINT}
      />
    </Folded>
  );
}

/** Lists where a member is signed in, and signs them out. */
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
          <ActionForm form={endSessionsForm} shown={shown} submit="Sign out everywhere" reasonHint={MEMBER_HINT} />
        </Folded>
      </div>
    </Card>
  );
}
