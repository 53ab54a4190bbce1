import type { MemberEntry } from "../../../server/member-administration/contract.ts";
import { CategoryMark } from "../../points/category-mark.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { formatChange } from "../../ui/number/number.ts";
import { Table, type Column } from "../../ui/table/table.tsx";
import { formatDay } from "../../ui/time.tsx";
import { ListPager } from "../list-pager.tsx";
import { definePage } from "../page.ts";
import { Moment } from "../parts.tsx";

const COLUMNS: Column<MemberEntry>[] = [
  { head: "When", cell: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { head: "Category", cell: ({ category }) => <CategoryMark category={category} /> },
  { head: "Comment", cell: ({ comment }) => comment, className: "log-comment" },
  { head: "Rule", cell: ({ rule }) => <span className="num">{rule}</span> },
  { head: "Points", align: "end", className: "num", cell: ({ points }) => formatChange(points) },
];

/** A member's points ledger. */
export const entriesPage = definePage({
  path: "members/:id/points",
  title: "Ledger of a member",
  within: "members",
  async load({ api, params: { id = "" }, query }) {
    const page = await api.members.entries(id, { after: query.get("after") ?? undefined });
    return { ...page, id };
  },
  Page: ({ data: { items, next, id, email, heartbeatsSince }, shown }) => (
    <Card
      title={email}
      padded={false}
      aside={
        <Link to={`/admin/members/${id}`} className="underline">
          Back to the member
        </Link>
      }
    >
      {items.length === 0 && !heartbeatsSince && (
        <EmptyState title="No points yet" text="Nothing was posted to this member." />
      )}
      {items.length > 0 && <Table caption="Ledger" rows={items} rowKey={(entry) => entry.id} columns={COLUMNS} />}
      {next === null && heartbeatsSince && (
        <p className="border-t border-line px-4.5 py-3 text-small text-ink-2">
          Heartbeats before {formatDay(heartbeatsSince)} are no longer listed one by one. All totals still count them.
        </p>
      )}
      <ListPager url={shown.url} next={next} />
    </Card>
  ),
});
