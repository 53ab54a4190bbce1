import type { ReactNode } from "react";
import { Meter } from "../ui/number/meter.tsx";
import { formatNumber } from "../ui/number/number.ts";
import { Pill } from "../ui/pill.tsx";
import type { Creation } from "./creation.ts";
import type { Progress } from "./use-progress.ts";

export type Requirements = {
  walletLinked: boolean;
  /** Known only in the browser. */
  walletConnected: boolean;
  heartbeats: number;
  /** 100 (product specification, section 9). */
  required: number;
};

/** What the member needs for a Machine ID: three things, each done or to do. */
export function RequirementList({ walletLinked, walletConnected, heartbeats, required }: Requirements) {
  return (
    <ul className="grid gap-3.25">
      <Requirement done={walletLinked}>Wallet linked</Requirement>
      <Requirement done={walletConnected}>Wallet connected in the dashboard</Requirement>
      <Requirement
        done={heartbeats >= required}
        below={<Meter label="Heartbeats" value={Math.min(heartbeats, required)} max={required} />}
      >
        Heartbeats
        <span className="num ms-auto">{`${formatNumber(heartbeats)}/${formatNumber(required)}`}</span>
      </Requirement>
    </ul>
  );
}

/** Returns whether to show the requirements: something is missing, and nothing is under way in this tab. */
export const showsRequirements = ({ requirements, stage }: Progress, { state }: Creation) =>
  stage === "no-account" && !areMet(requirements) && state !== "creating" && state !== "success";

const areMet = ({ walletLinked, walletConnected, heartbeats, required }: Requirements) =>
  walletLinked && walletConnected && heartbeats >= required;

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
