import type { ReactNode } from "react";

/** A figure with its name above and a note below. */
export function Stat({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div className="stat">
      <dt className="label">{label}</dt>
      <dd>{value}</dd>
      <dd>{children}</dd>
    </div>
  );
}

type StatRowProps = {
  label: string;
  /** Four columns, of which the first and most important is wide; or rows of three equal ones. */
  columns?: 3 | 4;
  children: ReactNode;
};

/** Stats side by side on one surface. */
export function StatRow({ label, columns = 4, children }: StatRowProps) {
  return (
    <section aria-label={label} className="card">
      <dl className={`stats stats-${columns}`}>{children}</dl>
    </section>
  );
}
