import { CategoryMark } from "../points/category-mark.tsx";
import { formatNumber } from "../ui/number/number.ts";
import { Table, type Column } from "../ui/table/table.tsx";

type Amount = { category: string; amount: number };

const COLUMNS: Column<Amount>[] = [
  { head: "Category", cell: ({ category }) => <CategoryMark category={category} /> },
  { head: "Points", align: "end", className: "num", cell: ({ amount }) => formatNumber(amount) },
];

type CategoryTableProps = {
  caption: string;
  points: Record<"connectivity" | "referral" | "rewards" | "others", number>;
};

/** Lists points by category. */
export function CategoryTable({ caption, points }: CategoryTableProps) {
  const rows = [
    { category: "Connectivity", amount: points.connectivity },
    { category: "Referral", amount: points.referral },
    { category: "Rewards", amount: points.rewards },
    { category: "Others", amount: points.others },
  ];
  return <Table caption={caption} rows={rows} rowKey={({ category }) => category} columns={COLUMNS} />;
}
