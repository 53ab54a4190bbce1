import { ChainJobState, type ChainJob } from "../../../server/background-work/contract.ts";
import { About } from "../../ui/about.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill, type PillTone } from "../../ui/pill.tsx";
import { SegmentedLinks } from "../../ui/table/segmented-links.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ListPager } from "../list-pager.tsx";
import { definePage } from "../page.ts";
import { MemberLink, Moment, capitalize } from "../parts.tsx";

const PATH = "/admin/chain-jobs";

export const KINDS: Record<ChainJob["kind"], string> = { deploy: "Smart Account", execute: "Machine ID" };

/** Transactions that we send to the network for members, and their states. */
export const chainJobsPage = definePage({
  path: "chain-jobs",
  title: "Chain jobs",
  navigation: { label: "Chain jobs", icon: "monitor" },
  async load({ api, query }) {
    const state = query.get("state") ?? undefined;
    return { page: await api.chainJobs.list({ state, after: query.get("after") ?? undefined }), state };
  },
  Page: ({ data: { page, state }, shown }) => (
    <Card
      title="Jobs"
      padded={false}
      aside={
        <SegmentedLinks
          label="State"
          segments={[
            { label: "All", href: PATH, current: state === undefined },
            ...ChainJobState.options.map((each) => ({
              label: capitalize(each),
              href: `${PATH}?state=${each}`,
              current: state === each,
            })),
          ]}
        />
      }
    >
      {page.items.length === 0 ? (
        <EmptyState
          title="Nothing here"
          text={state ? "No chain job has this state." : "No member has begun a Smart Account yet."}
        />
      ) : (
        <Table caption="Chain jobs, newest first" rows={page.items} rowKey={({ id }) => id} columns={COLUMNS} />
      )}
      <ListPager url={shown.url} next={page.next} />
    </Card>
  ),
});

const TONES: Partial<Record<ChainJobState, PillTone>> = { completed: "good", finalized: "good", failed: "warn" };

export const ChainJobPill = ({ state }: { state: ChainJobState }) => (
  <Pill tone={TONES[state] ?? "info"}>{capitalize(state)}</Pill>
);

const COLUMNS: Column<ChainJob>[] = [
  {
    head: "Kind",
    className: "whitespace-nowrap",
    cell: ({ id, kind, member }) => (
      <Link to={`${PATH}/${id}`} className="font-strong underline">
        {KINDS[kind]}
        <About>{`of ${member.email ?? "a deleted account"}`}</About>
      </Link>
    ),
  },
  { head: "Member", cell: ({ member }) => <MemberLink member={member} /> },
  { head: "State", cell: ({ state: reached }) => <ChainJobPill state={reached} /> },
  {
    head: "Error",
    cell: ({ errorName, work }) => errorName ?? work?.lastError ?? "–",
    className: "min-w-52 wrap-anywhere",
  },
  { head: "Attempts", align: "end", className: "num", cell: ({ work }) => work?.attempts ?? "–" },
  { head: "Started", cell: ({ createdAt }) => <Moment at={createdAt} /> },
];
