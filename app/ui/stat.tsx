import type { ReactNode } from "react";
import { surfaceClass } from "./card.tsx";

/** A figure with its name above and a remark below. */
export function Stat({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <div className="grid content-start gap-3 border-line px-4.5 py-4">
      <dt className="label">{label}</dt>
      <dd className="font-mono text-figure leading-none font-strong tracking-[-0.045em] tabular-nums">{value}</dd>
      <dd className="flex min-h-4.75 flex-wrap items-center gap-1.5 text-hint text-ink-3">{children}</dd>
    </div>
  );
}

/** Stats side by side in one surface; the first, which counts most, is wider. */
export function StatRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className={surfaceClass}>
      <dl className="grid grid-cols-1 *:not-first:border-t @md/page:grid-cols-2 @md/page:*:nth-2:border-t-0 @md/page:*:even:border-s @3xl/page:grid-cols-[1.35fr_1fr_1fr_1fr] @3xl/page:*:not-first:border-s @3xl/page:*:not-first:border-t-0">
        {children}
      </dl>
    </section>
  );
}
