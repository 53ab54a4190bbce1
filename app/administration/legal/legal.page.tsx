import type { LegalDraftSummary } from "../../../server/legal/contract.ts";
import { Card } from "../../ui/card.tsx";
import { Link } from "../../ui/link.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { formatDay } from "../../ui/time.tsx";
import { definePage } from "../page.ts";
import { Moment } from "../parts.tsx";

/** The documents that members accept. */
export const legalPage = definePage({
  path: "legal",
  title: "Legal documents",
  navigation: { label: "Legal documents", icon: "copy" },
  load: ({ api }) => api.legal.list(),
  Page: ({ data: documents }) => (
    <Card title="What members accept" padded={false}>
      <Table caption="Legal documents" rows={documents} rowKey={({ document }) => document} columns={COLUMNS} />
    </Card>
  ),
});

const formatVersion = ({ versions }: LegalDraftSummary, standing: "current" | "announced") =>
  versions
    .filter((each) => each.standing === standing)
    .map(({ version, effectiveFrom }) => `Version ${version}, from ${formatDay(effectiveFrom)}`)
    .join("; ") || "–";

const COLUMNS: Column<LegalDraftSummary>[] = [
  {
    head: "Document",
    cell: ({ document, title }) => (
      <Link to={`/admin/legal/${document}`} className="font-strong underline">
        {title}
      </Link>
    ),
  },
  { head: "In force", cell: (row) => formatVersion(row, "current") },
  { head: "Announced", cell: (row) => formatVersion(row, "announced") },
  { head: "Draft", cell: ({ draftSavedAt }) => (draftSavedAt ? <Moment at={draftSavedAt} /> : "None") },
];
