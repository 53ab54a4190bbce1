import type { UserStats } from "../../server/points/contract.ts";
import { CountUp } from "../ui/number/count-up.tsx";
import { formatChange, formatNumber } from "../ui/number/number.ts";
import { Stat, StatRow } from "../ui/number/stat.tsx";
import { TimeAgo } from "../ui/time.tsx";

/** Shows the member's numbers at a glance. `now`: the server's clock when the page was rendered, in milliseconds. */
export function StatsRow({ stats, now }: { stats: UserStats; now: number }) {
  // Only some backends send these two fields.
  const { last_heartbeat_at: lastHeartbeatAt, successful_referrals: successful } = stats;
  return (
    <StatRow label="Your points at a glance">
      <Stat label="Total points" value={<CountUp value={stats.points_total} />}>
        <span className={`font-strong ${stats.points_today > 0 ? "text-good" : ""}`}>
          {formatChange(stats.points_today)}
        </span>{" "}
        today
      </Stat>
      <Stat label="Heartbeats" value={<CountUp value={stats.heartbeats} />}>
        {lastHeartbeatAt ? (
          <span>
            last one <TimeAgo dateTime={lastHeartbeatAt} now={now} />
          </span>
        ) : (
          stats.heartbeats === 0 && "none yet"
        )}
      </Stat>
      <Stat label="Referrals" value={<CountUp value={stats.total_referrals} />}>
        {successful !== undefined && `${formatNumber(successful)} successful so far`}
      </Stat>
      <Stat label="Referral points" value={<CountUp value={stats.total_referral_points} />}>
        from friends you invited
      </Stat>
    </StatRow>
  );
}
