import type { ReactNode } from "react";
import { surfaceClass } from "../card.tsx";

/** A figure with its name above and a remark below. */
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
  /** Four with a wide first one, which counts most; or rows of three that count the same. */
  columns?: 3 | 4;
  children: ReactNode;
};

const COLUMNS = {
  3: "@3xl/page:grid-cols-3 @3xl/page:*:not-first:border-t-0 @3xl/page:*:nth-[n+4]:border-t @3xl/page:*:border-s @3xl/page:*:nth-[3n+1]:border-s-0",
  4: "@3xl/page:grid-cols-[1.35fr_1fr_1fr_1fr] @3xl/page:*:not-first:border-s @3xl/page:*:not-first:border-t-0",
};

/** Stats side by side in one surface. */
export function StatRow({ label, columns = 4, children }: StatRowProps) {
  return (
    <section aria-label={label} className={surfaceClass}>
      <dl
        className={`grid grid-cols-1 *:not-first:border-t @md/page:grid-cols-2 @md/page:*:nth-2:border-t-0 @md/page:*:even:border-s ${COLUMNS[columns]}`}
      >
        {children}
      </dl>
    </section>
  );
}
