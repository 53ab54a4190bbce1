import type { Uptime } from "../../server/heartbeats/contract.ts";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { describeLength, STATE_WORDS, timeOf, toRuns, type Run } from "./uptime-runs.ts";

/** The strip's values in words, the latest first: equal slots together. */
export function UptimeTable({ uptime }: { uptime: Uptime }) {
  const columns: Column<Run>[] = [
    { head: "State", cell: ({ state }) => STATE_WORDS[state] },
    { head: "From", cell: ({ start }) => <Time dateTime={timeOf(uptime, start)} className="num" />, className: "w-48" },
    {
      head: "To",
      cell: ({ length, start }) => <Time dateTime={timeOf(uptime, start + length)} className="num" />,
      className: "w-48",
    },
    { head: "Length", cell: ({ length }) => describeLength(length * uptime.slotSeconds), align: "end" },
  ];
  return (
    <details className="text-hint">
      <summary className="w-fit rounded-tag py-0.5 text-ink-3 hover:text-ink">Show as a table</summary>
      <div className="-mx-4.5 mt-2 max-h-80 overflow-y-auto">
        <Table
          caption="Uptime of the last 7 days"
          columns={columns}
          rows={toRuns(uptime.slots).toReversed()}
          rowKey={({ start }) => start}
        />
      </div>
    </details>
  );
}
