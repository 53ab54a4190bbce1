import { formatNumber } from "../number/number.ts";

type ValueTableProps = {
  caption: string;
  series: { key: string; label: string }[];
  bars: { label: string; values: Record<string, number | string>; total?: number }[];
  barHead: string;
  /** Names the column of totals, if there is one. */
  totalHead?: string;
};

/**
 * The values of a chart, for readers who cannot or do not want to read them off the picture. Header cells have no
 * `scope`, because their position says what they head, and there may be hundreds.
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
              // oxlint-disable-next-line react/no-array-index-key -- rows hold no state, and two may share a label when clocks are put back
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
