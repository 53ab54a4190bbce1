import { formatNumber } from "../number/number.ts";

type ValueTableProps = {
  caption: string;
  series: { key: string; label: string }[];
  bars: { label: string; values: Record<string, number | string>; total?: number }[];
  barHead: string;
  /** Names the column of totals, where there is one. */
  totalHead?: string;
};

/**
 * The values of a chart, for everyone who cannot or would rather not read them off the picture. What each head is of,
 * its row or its column, follows from its place: there may be hundreds.
 */
export function ValueTable({ caption, series, bars, barHead, totalHead }: ValueTableProps) {
  return (
    <details className="values">
      <summary>
        Show as a table<span className="sr-only">: {caption}</span>
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable regions must be reachable (WCAG 2.1.1) */}
      <section aria-label={`${caption}, as a table`} tabIndex={0}>
        <table className="value-table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {[barHead, ...series.map(({ label }) => label), ...(totalHead ? [totalHead] : [])].map((head) => (
                <th key={head}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, values, total }, row) => (
              // oxlint-disable-next-line react/no-array-index-key -- a row holds nothing, and two may have one label where a clock is put back
              <tr key={row}>
                <th>{label}</th>
                {[...series.map(({ key }) => values[key] ?? 0), ...(total === undefined ? [] : [total])].map(
                  (value, index) => (
                    <td key={series[index]?.key ?? "total"}>
                      {typeof value === "number" ? formatNumber(value) : value}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
