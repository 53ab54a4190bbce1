import type { ReactNode } from "react";

type DashboardLayoutProps = {
  stats: ReactNode;
  history: ReactNode;
  breakdown: ReactNode;
  log: ReactNode;
  side: ReactNode;
};

/** Where the dashboard's cards stand: two columns where there is room, one below the other where there is not. */
export function DashboardLayout({ stats, history, breakdown, log, side }: DashboardLayoutProps) {
  return (
    <div className="grid gap-4.5">
      {stats}
      <div className={`${ROW} items-stretch`}>
        {history}
        {breakdown}
      </div>
      <div className={`${ROW} items-start`}>
        {log}
        <div className="grid gap-4.5">{side}</div>
      </div>
    </div>
  );
}

const ROW = "grid gap-4.5 *:min-w-0 @4xl/page:grid-cols-[1.9fr_1fr]";
