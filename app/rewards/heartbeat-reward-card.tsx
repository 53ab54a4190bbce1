import type { HeartbeatStatus } from "../../server/heartbeats/contract.ts";
import { HEARTBEAT_REWARD } from "../client/heartbeat-reward.ts";
import { ClaimForm, useIsClaiming } from "../claims/claim-form.tsx";
import { Card } from "../ui/card.tsx";
import { Meter } from "../ui/number/meter.tsx";
import { formatChange, formatCount, formatNumber } from "../ui/number/number.ts";
import { Pill } from "../ui/pill.tsx";
import { Time } from "../ui/time.tsx";

/** Shows the reward for the first heartbeats, and the member's progress. */
export function HeartbeatRewardCard({ status }: { status: HeartbeatStatus }) {
  const { bonusPoints, currentHeartbeats, lastHeartbeatAt, requiredHeartbeats } = status;
  const shown = Math.min(currentHeartbeats, requiredHeartbeats);
  return (
    <Card
      title={`Earn ${formatNumber(requiredHeartbeats)} heartbeats`}
      aside={<span className="num">{formatChange(bonusPoints)}</span>}
    >
      <div className="grid gap-3.5">
        <div className="grid gap-2">
          <Meter label="Heartbeats" value={shown} max={requiredHeartbeats} />
          <span className="flex flex-wrap gap-x-3 text-hint text-ink-3">
            <span>{`${formatNumber(shown)} of ${formatNumber(requiredHeartbeats)}`}</span>
            {lastHeartbeatAt ? (
              <span>
                last one <Time dateTime={lastHeartbeatAt} />
              </span>
            ) : (
              // A backend may not say when the last one was.
              currentHeartbeats === 0 && <span>none yet</span>
            )}
          </span>
        </div>
        <NextStep status={status} />
      </div>
    </Card>
  );
}

function NextStep({ status }: { status: HeartbeatStatus }) {
  const { bonusPoints, claimable, claimed, currentHeartbeats, requiredHeartbeats } = status;
  const isClaiming = useIsClaiming(HEARTBEAT_REWARD);
  if (claimed || isClaiming) {
    return (
      <p>
        <Pill tone="good">Claimed</Pill>
      </p>
    );
  }
  if (claimable) {
    return <ClaimForm id={HEARTBEAT_REWARD} label={`Claim ${formatCount(bonusPoints, "point")} for your heartbeats`} />;
  }
  const missing = requiredHeartbeats - currentHeartbeats;
  // Without a number if the backend does not publish its rules or numbers.
  const more = missing >= 1 ? formatCount(missing, "more heartbeat") : "more heartbeats";
  const first = currentHeartbeats === 0 ? "Start your node" : "Keep your node running";
  return <p className="text-ink-2">{`${first}. You can claim this reward after ${more}.`}</p>;
}
