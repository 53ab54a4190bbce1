import type { Uptime } from "../../server/heartbeats/contract.ts";
import { useHydrated } from "remix-utils/use-hydrated";
import { formatNumber } from "../ui/number/number.ts";
import { formatClock, formatDayOfYear, formatRecent } from "../ui/time.tsx";
import { describeLength, STATE_WORDS, timeOf, toDays } from "./uptime-runs.ts";
import { UptimeLegend, UptimeStrip } from "./uptime-strip.tsx";
import { UptimeTable } from "./uptime-table.tsx";

/** Shows the last 24 hours slot by slot, and the last 7 days by calendar day. */
export function UptimeStrips({ day, week }: { day: Uptime; week: Uptime }) {
  return (
    <div className="grid gap-5 *:min-w-0">
      <Day day={day} />
      <Week week={week} />
      <UptimeLegend slots={week.slots} />
      <UptimeTable uptime={week} />
    </div>
  );
}

function Day({ day }: { day: Uptime }) {
  const isLocal = useHydrated();
  return (
    <UptimeStrip
      title="Uptime, last 24 hours"
      description={describe(day)}
      rows={[{ offset: 0, slots: day.slots }]}
      rowHeight={36}
      barHeight={36}
      apart
      name={(_, slot) => `${formatRecent(timeOf(day, slot), isLocal)}: ${STATE_WORDS[day.slots[slot] ?? "pending"]}`}
      caption={null}
    >
      <Hours uptime={day} />
    </UptimeStrip>
  );
}

/** Shows a day in UTC in each row, because points count by UTC days. */
function Week({ week }: { week: Uptime }) {
  const days = toDays(week);
  const nameOf = (row: number, slot: number) => {
    const at = timeOf(week, (days[row]?.first ?? 0) + slot);
    return `${formatRecent(at, false)}: ${STATE_WORDS[days[row]?.slots[slot] ?? "pending"]}`;
  };
  return (
    <UptimeStrip
      title="Uptime, last 7 days, by day in UTC"
      description={describe(week)}
      rows={days}
      rowHeight={20}
      barHeight={14}
      name={nameOf}
      className="grid-cols-[auto_1fr]"
      caption={
        <ol aria-hidden className="num text-label text-ink-3 [&>li]:h-5 [&>li]:leading-5 [&>li]:whitespace-nowrap">
          {days.map(({ date }) => (
            <li key={date}>{formatDayOfYear(date)}</li>
          ))}
        </ol>
      }
    >
      <span aria-hidden className="num col-start-2 grid grid-cols-4 text-label text-ink-3">
        {["00:00", "06:00", "12:00", "18:00"].map((time) => (
          <span key={time}>{time}</span>
        ))}
      </span>
    </UptimeStrip>
  );
}

const TICKS = [0, 24, 48, 72];

/** Labels the strip with times of the day, each where its slot begins. */
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
