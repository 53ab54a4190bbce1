import type { Uptime } from "../../server/heartbeats/contract.ts";
import { useHydrated } from "remix-utils/use-hydrated";
import { formatNumber } from "../ui/number/number.ts";
import { formatClock, Time } from "../ui/time.tsx";
import { DAY_SLOTS, describeLength, timeOf, toRuns } from "./uptime-runs.ts";
import { UptimeLegend, UptimeStrip } from "./uptime-strip.tsx";
import { UptimeTable } from "./uptime-table.tsx";

/** The last 24 hours slot by slot, and the last 7 days in rows of 24 hours. */
export function UptimeStrips({ day, week }: { day: Uptime; week: Uptime }) {
  return (
    <div className="grid gap-5 *:min-w-0">
      <figure className="grid gap-1.5">
        <UptimeStrip
          title="Uptime of the last 24 hours"
          description={describe(day)}
          uptime={day}
          rows={[day.slots.map((state, start) => ({ state, start, length: 1 }))]}
          rowHeight={36}
          barHeight={36}
        />
        <Hours uptime={day} />
      </figure>
      <Week week={week} />
      <UptimeLegend />
      <UptimeTable uptime={week} />
    </div>
  );
}

/** Each row begins at the same time of the day. Beside them there is room for a time with its zone, so that nothing moves. */
function Week({ week }: { week: Uptime }) {
  const starts = Array.from({ length: week.slots.length / DAY_SLOTS }, (_, day) => day * DAY_SLOTS);
  return (
    <figure className="grid grid-cols-[7.5rem_1fr] gap-x-3">
      <ol aria-hidden className="num text-label text-ink-3">
        {starts.map((start) => (
          <li key={start} className="flex h-5 items-center whitespace-nowrap">
            <Time dateTime={timeOf(week, start)} />
          </li>
        ))}
      </ol>
      <UptimeStrip
        title="Uptime of the last 7 days"
        description={describe(week)}
        uptime={week}
        rows={starts.map((from) => toRuns(week.slots, from, from + DAY_SLOTS))}
        rowHeight={20}
        barHeight={14}
      />
    </figure>
  );
}

const TICKS = [0, 24, 48, 72];

/** The time of the day below the strip, each where its slot begins. */
function Hours({ uptime }: { uptime: Uptime }) {
  const isLocal = useHydrated();
  return (
    <span aria-hidden className="num relative grid grid-cols-4 text-label text-ink-3">
      {TICKS.map((slot) => (
        <span key={slot} className="truncate">
          {formatClock(timeOf(uptime, slot), isLocal)}
        </span>
      ))}
      <span className="absolute end-0 bg-surface ps-1">now</span>
    </span>
  );
}

function describe({ longestGap, percent, slotSeconds }: Uptime): string {
  if (percent === null) return "No heartbeat yet.";
  const gap = longestGap && (Date.parse(longestGap.to) - Date.parse(longestGap.from)) / 1000;
  return `A heartbeat in ${formatNumber(percent)} % of the spans of ${describeLength(slotSeconds)}; ${gap ? `the longest gap is ${describeLength(gap)}` : "no gap"}.`;
}
