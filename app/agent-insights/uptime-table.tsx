import type { Uptime } from "../../server/heartbeats/contract.ts";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { describeLength, STATE_WORDS, timeOf, toRuns } from "./uptime-runs.ts";

/** What has to be said of equal slots that follow each other. */
type Span = { state: string; from: string; to: string; length: string };

const COLUMNS: Column<Span>[] = [
  { head: "State", cell: ({ state }) => state },
  { head: "From", cell: ({ from }) => <Time dateTime={from} />, className: "num w-52" },
  { head: "To", cell: ({ to }) => <Time dateTime={to} />, className: "num w-52" },
  { head: "Length", cell: ({ length }) => length, align: "end" },
];

/** The strip's values in words, the latest first. */
export function UptimeTable({ uptime }: { uptime: Uptime }) {
  const spans = toRuns(uptime.slots).map(({ length, start, state }) => ({
    state: STATE_WORDS[state],
    from: timeOf(uptime, start),
    to: timeOf(uptime, start + length),
    length: describeLength(length * uptime.slotSeconds),
  }));
  return (
    <details className="text-hint">
      <summary className="w-fit rounded-tag py-0.5 text-ink-3 hover:text-ink">Show as a table</summary>
      <div className="-mx-4.5 mt-2 max-h-80 overflow-y-auto">
        <Table
          caption="Uptime of the last 7 days"
          columns={COLUMNS}
          rows={spans.toReversed()}
          rowKey={({ from }) => from}
        />
      </div>
    </details>
  );
}
