import type { FoundMember } from "../../../server/member-administration/contract.ts";
import { Card } from "../../ui/card.tsx";
import { Button, ButtonLink } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ListPager } from "../list-pager.tsx";
import { definePage } from "../page.ts";
import { StandingPills } from "./standing-pills.tsx";
import { MemberLink, Moment } from "../parts.tsx";

const COLUMNS: Column<FoundMember>[] = [
  { head: "Email", cell: (member) => <MemberLink member={member} /> },
  { head: "Standing", cell: (member) => <StandingPills member={member} /> },
  { head: "Joined", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { head: "Points", align: "end", className: "num", cell: ({ points }) => formatNumber(points) },
];

/** A search for members, by anything that they may mention when they write to us. */
export const membersPage = definePage({
  path: "members",
  title: "Members",
  navigation: { label: "Members", icon: "friend" },
  async load({ api, query }) {
    const search = query.get("search")?.trim() ?? "";
    const found = await api.members.find({ search: search || undefined, after: query.get("after") ?? undefined });
    return { ...found, search };
  },
  Page: ({ data: { items, next, search }, shown }) => (
    <div className="grid gap-4.5">
      <Card title="Find members">
        <form method="get" action="/admin/members" className="admin-filter">
          <Field
            id="member-search"
            label="Search"
            name="search"
            type="search"
            defaultValue={search}
            maxLength={254}
            autoComplete="off"
            hint="The beginning of an email address, or a whole id, wallet or referral code."
          />
          <Button type="submit" variant="ink">
            Search
          </Button>
        </form>
      </Card>
      <Card title={search ? "Found" : "Latest members"} padded={false}>
        {items.length === 0 ? (
          <EmptyState title="No member found" text="Check the spelling, or search by something else.">
            {search && <ButtonLink to="/admin/members">Show the latest members</ButtonLink>}
          </EmptyState>
        ) : (
          <Table caption="Members" rows={items} rowKey={({ id }) => id} columns={COLUMNS} />
        )}
        <ListPager url={shown.url} next={next} />
      </Card>
    </div>
  ),
});
