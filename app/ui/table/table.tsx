import { Fragment, type ReactNode } from "react";

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  /** Classes of the column's cells, but not of its header. */
  className?: string;
  align?: "start" | "end";
  /** Stays in sight when the table is too wide for the screen. For actions on a row. */
  isPinned?: boolean;
};

type TableProps<Row> = {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  /** Returns a key that is unique among the rows, or undefined for a row that has none. */
  rowKey: (row: Row) => string | number | undefined;
  /** Renders what stands below a row, as wide as the table. */
  below?: (row: Row) => ReactNode;
  rowId?: (row: Row) => string | undefined;
  rowClass?: (row: Row) => string;
};

/** A table that scrolls sideways in its own region when the screen is too narrow for it. */
export function Table<Row>({ caption, columns, rows, rowKey, below, rowId, rowClass }: TableProps<Row>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable regions must be reachable (WCAG 2.1.1)
    <section className="table-scroll" aria-label={`${caption}, table`} tabIndex={0}>
      <table className="list-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, ...column }) => (
              <th key={head} className={cellClass(column)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Fragment key={rowKey(row) ?? index}>
              <tr id={rowId?.(row)} className={rowClass?.(row)}>
                {columns.map(({ head, cell, className, ...column }) => (
                  <td key={head} className={cellClass(column, className)}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
              {below?.(row)}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Place = Pick<Column<unknown>, "align" | "isPinned">;

/** Returns the classes of a cell or of its column's header. */
const cellClass = ({ align, isPinned }: Place, className?: string) =>
  [align === "end" && "text-end", isPinned && "pinned", className].filter(Boolean).join(" ") || undefined;
