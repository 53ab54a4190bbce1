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
  "sign-in-failed": "Failed sign-in",
  "signed-out": "Signed out",
  "password-changed": "Password changed",
  "password-reset-requested": "Password reset requested",
  "password-reset": "Password reset",
  "session-revoked": "Signed out another device",
  "other-sessions-revoked": "Signed out everywhere else",
  "campaign-email-verified": "Address for campaign emails confirmed",
  "device-key-made": "Machine key created",
  "device-key-revoked": "Machine key revoked",
  "data-exported": "Data downloaded",
  "deletion-requested": "Account deletion requested",
  "deletion-cancelled": "Account deletion cancelled",
  "wallet-linked": "Wallet linked",
  "wallet-changed": "Linked wallet changed",
  "address-changed": "Email changed by an administrator",
  "email-changed": "Email changed",
  "email-changed-elsewhere": "Email changed at our sign-in provider",
};

const COLUMNS: Column<SecurityEvent>[] = [
  {
    head: "Event",
    cell: ({ kind }) => <span className={kind === "sign-in-failed" ? "text-bad" : ""}>{WORDS[kind]}</span>,
    className: "min-w-36",
  },
  { head: "From", cell: (event) => <Origin {...event} />, className: "min-w-40" },
  {
    head: "When",
    cell: ({ occurredAt }) => <Time dateTime={occurredAt} />,
    // As wide as the longest time with a time zone, so that columns do not move when the zone disappears.
    className: "log-time",
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

/** Lists what happened to the account, newest first. */
export function SecurityActivityCard({ events, pagination: { page, total } }: SecurityActivity) {
  return (
    <Section id="security-activity" title="Security activity" padded={false}>
      {events.length > 0 ? (
        <>
          {/* Without JavaScript, times are in UTC and say so. */}
          <p className="-mt-2 px-4.5 pb-3.5 text-small text-ink-2 noscript:hidden">Times are in your time zone.</p>
          <Table caption="Security activity" columns={COLUMNS} rows={events} rowKey={({ id }) => id} />
        </>
      ) : (
        <EmptyState
          title="No activity yet"
          text="Sign-ins and changes to your account are listed here for at least a year."
        />
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
