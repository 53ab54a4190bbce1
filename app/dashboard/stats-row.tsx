import type { UserStats } from "../../server/points/contract.ts";
import { CountUp } from "../ui/number/count-up.tsx";
import { formatChange, formatNumber } from "../ui/number/number.ts";
import { Stat, StatRow } from "../ui/number/stat.tsx";
import { TimeAgo } from "../ui/time.tsx";

type StatsRowProps = {
  stats: Pick<UserStats, "points_total" | "points_today" | "heartbeats" | "total_referrals" | "total_referral_points">;
  /** ISO 8601; absent before the first one. */
  lastHeartbeatAt?: string | null;
  /** The server's clock when the page was made, in milliseconds. */
  now: number;
  /** For each friend, once claimed. */
  referralPoints: number;
  referrals?: { successful: number; pending: number };
};

/** The member's figures at a glance. */
export function StatsRow({ stats, lastHeartbeatAt, now, referralPoints, referrals }: StatsRowProps) {
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
        {referrals && `${formatNumber(referrals.successful)} successful, ${formatNumber(referrals.pending)} pending`}
      </Stat>
      <Stat label="Referral points" value={<CountUp value={stats.total_referral_points} />}>
        {formatNumber(referralPoints)} for each friend
      </Stat>
    </StatRow>
  );
}
