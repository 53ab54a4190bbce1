import type { ReactNode } from "react";
import { Card } from "../ui/card.tsx";
import { Meter } from "../ui/meter.tsx";
import { formatNumber } from "../ui/number.ts";
import { Pill } from "../ui/pill.tsx";

type RequirementsCardProps = {
  walletLinked: boolean;
  /** Known only in the browser. */
  walletConnected: boolean;
  heartbeats: number;
  /** How many it takes. */
  required: number;
};

/** What stands between the member and a Machine ID. */
export function RequirementsCard({ walletLinked, walletConnected, heartbeats, required }: RequirementsCardProps) {
  return (
    <Card title="Machine ID Requirements">
      <ul className="grid gap-3.25">
        <Requirement done={walletLinked}>Wallet linked</Requirement>
        <Requirement done={walletConnected}>Wallet connected in the dashboard</Requirement>
        <Requirement
          done={heartbeats >= required}
          below={<Meter label="Heartbeats" value={Math.min(heartbeats, required)} max={required} />}
        >
          Heartbeats
          <span className="num ms-auto">
            {formatNumber(heartbeats)}/{formatNumber(required)}
          </span>
        </Requirement>
      </ul>
    </Card>
  );
}

function Requirement({ done, below, children }: { done: boolean; below?: ReactNode; children: ReactNode }) {
  return (
    <li className="grid gap-2">
      <div className="flex items-center gap-2.5">
        <Pill tone={done ? "good" : "mute"}>{done ? "Done" : "To do"}</Pill>
        {children}
      </div>
      {below}
    </li>
  );
}
