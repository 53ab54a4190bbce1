import type { SecurityActivity, SecurityEvent, SecurityEventKind } from "../../../server/security-activity/contract.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/table/pager.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { Time } from "../../ui/time.tsx";
import { ACTIVITY_PAGE_SIZE, activityHref } from "../profile-view.ts";
import { Section } from "../section.tsx";

const WORDS: Record<SecurityEventKind, string> = {
  "account-created": "Account created",
  "signed-in": "Signed in",
  "signed-in-on-new-device": "Signed in on a new device",
  "sign-in-failed": "Sign-in refused",
  "signed-out": "Signed out",
  "password-changed": "Password changed",
  "password-reset-requested": "New password asked for",
  "password-reset": "Password replaced",
  "session-revoked": "Signed out another device",
  "other-sessions-revoked": "Signed out everywhere else",
  "campaign-email-verified": "Campaign mail address confirmed",
  "device-key-made": "Key for a machine made",
  "device-key-revoked": "Key of a machine revoked",
  "data-exported": "Data downloaded",
  "deletion-requested": "Deletion of the account asked for",
  "deletion-cancelled": "Account kept after all",
  "wallet-linked": "Wallet linked",
  "wallet-changed": "Linked wallet changed",
};

const COLUMNS: Column<SecurityEvent>[] = [
  {
    head: "What",
    cell: ({ kind }) => <span className={kind === "sign-in-failed" ? "text-bad" : ""}>{WORDS[kind]}</span>,
    className: "min-w-36",
  },
  { head: "From", cell: (event) => <Origin {...event} />, className: "min-w-40" },
  {
    head: "When",
    cell: ({ occurredAt }) => <Time dateTime={occurredAt} />,
    // As wide as the longest time with its zone, so that columns stay put when the zone goes.
    className: "num w-48 whitespace-nowrap text-ink-2",
  },
];

function Origin({ device, network }: SecurityEvent) {
  return (
    <>
      <span className="block">{device}</span>
      <span className="block text-hint text-ink-3">
        {network ? <span className="num">{network}</span> : "Unknown network"}
      </span>
    </>
  );
}

/** What happened to the account, newest first. */
export function SecurityActivityCard({ events, pagination: { page, total } }: SecurityActivity) {
  return (
    <Section id="security-activity" title="Security activity" padded={false}>
      {events.length > 0 ? (
        <Table caption="Security activity" columns={COLUMNS} rows={events} rowKey={({ id }) => id} />
      ) : (
        <EmptyState title="Nothing happened yet" text="Sign-ins and changes of your account appear here for a year." />
      )}
      {total > 0 && (
        <Pager
          label="Pages of the security activity"
          page={page}
          pageSize={ACTIVITY_PAGE_SIZE}
          total={total}
          hrefFor={activityHref}
        />
      )}
    </Section>
  );
}
