import type { HeldReferrals } from "../../../server/referrals/contract.ts";
import { About } from "../../ui/about.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ListPager } from "../list-pager.tsx";
import { definePage } from "../page.ts";
import { MemberLink, Moment } from "../parts.tsx";
import { HELD_WORDS } from "./held-words.ts";

/** Invitations that members may have sent to themselves. Nobody is paid until an administrator has decided. */
export const heldReferralsPage = definePage({
  path: "referrals",
  title: "Held invitations",
  navigation: { label: "Held invitations", icon: "eye" },
  load: ({ api, query }) => api.heldReferrals.list({ after: query.get("after") ?? undefined }),
  Page: ({ data: { items, next }, shown }) => (
    <Card title="Invitations waiting for a decision" padded={false}>
      {items.length === 0 ? (
        <EmptyState
          title="Nothing is held"
          text="Invitations in which somebody may have invited themselves wait here for a decision."
        />
      ) : (
        <Table caption="Held invitations, oldest first" rows={items} rowKey={({ id }) => id} columns={COLUMNS} />
      )}
      <ListPager url={shown.url} next={next} />
    </Card>
  ),
});

const COLUMNS: Column<HeldReferrals["items"][number]>[] = [
  { head: "Held since", cell: ({ heldAt }) => <Moment at={heldAt} /> },
  { head: "Inviter", cell: ({ inviter }) => <MemberLink member={inviter} /> },
  { head: "Friend", cell: ({ invitee }) => <MemberLink member={invitee} /> },
  { head: "Why", className: "min-w-56", cell: ({ reason }) => (reason ? HELD_WORDS[reason] : "–") },
  {
    head: "Decide",
    cell: ({ id, invitee }) => (
      <Link to={`/admin/referrals/${id}`} className="font-strong whitespace-nowrap underline">
        Review
        <About>{`the invitation of ${invitee.email ?? "a deleted account"}`}</About>
      </Link>
    ),
  },
];
