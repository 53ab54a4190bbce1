import type { Uptime } from "../../server/heartbeats/contract.ts";
import { ValueTable } from "../ui/chart/value-table.tsx";
import { useHydrated } from "remix-utils/use-hydrated";
import { formatRecent } from "../ui/time.tsx";
import { describeLength, STATE_WORDS, timeOf, toRuns } from "./uptime-runs.ts";

const SERIES = [
  { key: "to", label: "To" },
  { key: "length", label: "Length" },
  { key: "state", label: "State" },
];

/** Lists the strip's values in words, the latest first. Consecutive slots with the same state share a line. */
export function UptimeTable({ uptime }: { uptime: Uptime }) {
  const isLocal = useHydrated();
  const runs = toRuns(uptime.slots).toReversed();
  return (
    <ValueTable
      caption="Uptime of the last 7 days"
      barHead="From"
      series={SERIES}
      bars={runs.map(({ length, start, state }) => ({
        label: formatRecent(timeOf(uptime, start), isLocal),
        values: {
          to: formatRecent(timeOf(uptime, start + length), isLocal),
          length: describeLength(length * uptime.slotSeconds),
          state: STATE_WORDS[state],
        },
      }))}
    />
  );
}
