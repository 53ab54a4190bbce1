import { formatNumber } from "../number/number.ts";

type ValueTableProps = {
  caption: string;
  series: { key: string; label: string }[];
  bars: { label: string; values: Record<string, number | string>; total?: number }[];
  barHead: string;
  /** Names the column of totals, where there is one. */
  totalHead?: string;
};

/** The values of a chart, for everyone who cannot or would rather not read them off the picture. */
export function ValueTable({ caption, series, bars, barHead, totalHead }: ValueTableProps) {
  return (
    <details className="mt-2 font-sans text-hint">
      <summary className="w-fit rounded-tag py-0.5 text-ink-3 hover:text-ink">Show as a table</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable regions must be reachable (WCAG 2.1.1) */}
      <section className="mt-2 max-h-80 overflow-auto" aria-label={`${caption}, as a table`} tabIndex={0}>
        <table className="value-table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {[barHead, ...series.map(({ label }) => label), ...(totalHead ? [totalHead] : [])].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, values, total }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
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
