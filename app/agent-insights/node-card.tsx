import type { ComponentProps, ReactNode } from "react";
import type { RefusedBeats as Refused, Uptime } from "../../server/heartbeats/contract.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { DataCard, MissingPart } from "../ui/data-card.tsx";
import { Guard } from "../ui/guard.tsx";
import { Card } from "../ui/card.tsx";
import { formatNumber } from "../ui/number/number.ts";
import { Pill } from "../ui/pill.tsx";
import { Time, TimeAgo } from "../ui/time.tsx";
import { StartNode } from "../start-node/start-node.tsx";
import { DAY, REFUSED, refusedBeatsQuery, uptimeQuery, WEEK } from "./reads.ts";
import { RefusedBeats } from "./refused-beats.tsx";
import { describeLength, isBeating, isYoung } from "./uptime-runs.ts";
import { UptimeStrips } from "./uptime-strips.tsx";

const TITLE = "Your node";
/** How often the visible page reads the state of the node, in milliseconds. */
const EVERY_MS = 60_000;

type NodeCardProps = StartProps & {
  /** The server's clock when the page was rendered, in milliseconds. */
  now: number;
};

type StartProps = Pick<ComponentProps<typeof StartNode>, "made" | "refusal" | "origin">;

/**
 * Shows the state of the member's node: its last heartbeat, its gaps, and heartbeats that did not count. A new member
 * sees how to start a node.
 */
export function NodeCard({ now, ...start }: NodeCardProps) {
  const read = useRead();
  const { data: day } = useQuery({ ...uptimeQuery(read, DAY), refetchInterval: EVERY_MS });
  const { data: week } = useQuery({ ...uptimeQuery(read, WEEK), refetchInterval: EVERY_MS });
  const { data: refused } = useQuery({ ...refusedBeatsQuery(read, REFUSED), refetchInterval: EVERY_MS });
  const isNew = day?.lastBeat === null;
  return (
    <>
      {/* The command stays after the first heartbeat, because it says that we hear the node. */}
      {(isNew || start.made || start.refusal) && <StartNode action="/agentinsights" {...start} />}
      {!(isNew && refused?.total === 0) && (
        <DataCard data={day && week && { day, week, refused }} title={TITLE}>
          {(known) => <Health {...known} now={now} />}
        </DataCard>
      )}
    </>
  );
}

type HealthProps = { day: Uptime; week: Uptime; refused: Refused | null | undefined; now: number };

function Health({ day, week, refused, now }: HealthProps) {
  return (
    <Card
      title={TITLE}
      aside={
        // Announced when it changes, with words that say what it is about.
        <output className="flex">
          <span className="sr-only">Node: </span>
          <State uptime={day} />
        </output>
      }
    >
      <div className="grid gap-6 *:min-w-0">
        {day.lastBeat && (
          <>
            <dl className="grid gap-x-7 gap-y-4 @md/page:grid-cols-2 @3xl/page:grid-cols-3">
              <Fact name="Last heartbeat" figure={<TimeAgo dateTime={day.lastBeat.at} now={now} />}>
                <Time dateTime={day.lastBeat.at} />
                {day.lastBeat.device && <span className="block wrap-anywhere">from {day.lastBeat.device}</span>}
              </Fact>
              {!isYoung(day) && <UptimeFact name="Uptime, last 24 hours" uptime={day} />}
              <UptimeFact name="Uptime, last 7 days" uptime={week} />
            </dl>
            <UptimeStrips day={day} week={week} />
          </>
        )}
        {refused && (
          <Guard data={refused} fallback={<MissingPart />}>
            {(known) => (day.lastBeat || known.total > 0) && <RefusedBeats {...known} />}
          </Guard>
        )}
      </div>
    </Card>
  );
}

function State({ uptime }: { uptime: Uptime }) {
  if (!uptime.lastBeat) return <Pill tone="mute">No heartbeat yet</Pill>;
  return isBeating(uptime) ? <Pill tone="good">Beating</Pill> : <Pill tone="warn">Silent</Pill>;
}

function UptimeFact({ name, uptime }: { name: string; uptime: Uptime }) {
  const { longestGap, percent } = uptime;
  return (
    <Fact
      name={isYoung(uptime) ? "Uptime since the first heartbeat" : name}
      figure={percent === null ? "–" : `${formatNumber(percent)} %`}
    >
      {longestGap ? <Gap key={longestGap.from + longestGap.to} {...longestGap} /> : "no gap"}
    </Fact>
  );
}

/** The time has its own line, so that nothing moves when its time zone disappears. */
function Gap({ from, to }: NonNullable<Uptime["longestGap"]>) {
  return (
    <span>
      longest gap {describeLength((Date.parse(to) - Date.parse(from)) / 1000)},
      <span className="block">
        from <Time dateTime={from} />
      </span>
    </span>
  );
}

function Fact({ name, figure, children }: { name: string; figure: ReactNode; children: ReactNode }) {
  return (
    <div className="grid content-start gap-2">
      <dt className="label">{name}</dt>
      <dd className="num text-dialog leading-none font-strong">{figure}</dd>
      <dd className="text-hint text-ink-3">{children}</dd>
    </div>
  );
}
