import type { AuditEntry } from "../../../server/administration/contract.ts";
import { About } from "../../ui/about.tsx";
import { Card } from "../../ui/card.tsx";
import { Button, ButtonLink } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { formatUtc } from "../../ui/time.tsx";
import { ListPager } from "../list-pager.tsx";
import { definePage } from "../page.ts";
import { MemberLink, Moment, formatActor, toAuditLog } from "../parts.tsx";

const FILTERS = [
  { name: "about", label: "About", hint: "Email or id of a member, or as listed: campaign survey" },
  { name: "by", label: "Done by", hint: "Email or id of an administrator" },
  { name: "action", label: "Action", hint: "Such as member.blocked" },
] as const;

const COLUMNS: Column<AuditEntry>[] = [
  { head: "When", cell: (entry) => <Doing entry={entry} />, className: "min-w-52" },
  { head: "Action", cell: ({ action }) => <span className="num">{action}</span> },
  { head: "About", cell: (entry) => <Subject entry={entry} />, className: "min-w-40" },
  { head: "Reason", cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span>, className: "min-w-40" },
  { head: "Details", cell: (entry) => <Details entry={entry} /> },
];

/** Everything that was changed on behalf of somebody else. */
export const auditLogPage = definePage({
  path: "audit",
  title: "Audit log",
  navigation: { label: "Audit log", icon: "calendar" },
  load({ api, query }) {
    const names = [...FILTERS.map(({ name }) => name), "after" as const];
    return api.audit(Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))));
  },
  Page: ({ data: { items, next }, shown }) => {
    const asked = new URLSearchParams(shown.url.search);
    return (
      <div className="grid gap-4.5">
        <Card title="Filter">
          <form method="get" action="/admin/audit" className="admin-filter">
            {FILTERS.map(({ name, label, hint }) => (
              <Field
                key={name}
                id={`audit-${name}`}
                name={name}
                label={label}
                hint={hint}
                defaultValue={asked.get(name) ?? ""}
                maxLength={name === "action" ? 64 : 254}
                autoComplete="off"
              />
            ))}
            <Button type="submit" variant="ink">
              Filter
            </Button>
          </form>
        </Card>
        <Card title="Entries" padded={false}>
          {items.length === 0 ? (
            <EmptyState title="Nothing found" text="No entry matches. Entries are never changed or removed.">
              {asked.size > 0 && <ButtonLink to="/admin/audit">Show all entries</ButtonLink>}
            </EmptyState>
          ) : (
            <Table caption="Entries of the audit log" rows={items} rowKey={({ id }) => id} columns={COLUMNS} />
          )}
          <ListPager url={shown.url} next={next} />
        </Card>
      </div>
    );
  },
});

const Doing = ({ entry: { at, by } }: { entry: AuditEntry }) => (
  <>
    <Moment at={at} />
    <span className="block text-note wrap-anywhere text-ink-2">by {formatActor(by)}</span>
  </>
);

function Subject({ entry: { subject, subjectId, subjectEmail } }: { entry: AuditEntry }) {
  if (subject !== "member") {
    return (
      <Link to={toAuditLog(subject, subjectId)} className="wrap-anywhere underline">
        {`${subject} ${subjectId}`}
      </Link>
    );
  }
  if (subjectEmail === null) return <span className="num wrap-anywhere">{subjectId}</span>;
  return <MemberLink member={{ id: subjectId, email: subjectEmail }} />;
}

function Details({ entry: { action, at, details } }: { entry: AuditEntry }) {
  const text = Object.keys(details).length > 0 ? JSON.stringify(details, undefined, 2) : "";
  if (text === "") return "–";
  return (
    <details className="admin-fold">
      <summary>
        Show
        <About>{`the details of ${action}, ${formatUtc(at)}`}</About>
      </summary>
      <pre className="num text-hint wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </details>
  );
}
