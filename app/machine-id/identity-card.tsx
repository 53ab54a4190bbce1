import type { ReactNode } from "react";
import type { MachineIdentityRecord } from "../../server/machine-id/contract.ts";
import { DataCard, MissingPart } from "../ui/data-card.tsx";
import { Guard } from "../ui/guard.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Card } from "../ui/card.tsx";
import { buttonClass } from "../ui/controls/button.tsx";
import { formatDay } from "../ui/time.tsx";
import { RequirementList, showsRequirements } from "./requirement-list.tsx";
import { FailureNote, NeedsScript, StatusPanel, type StatusPanelProps } from "./status-panel.tsx";
import { Timeline } from "./timeline.tsx";
import { useCreation } from "./use-creation.ts";
import { useIdentity } from "./use-machine-id.ts";
import { useProgress, type Progress } from "./use-progress.ts";

/**
 * The member's Smart Account and Machine ID on their profile: the content of the header's dialog, and the record
 * itself.
 */
export function IdentityCard({ member }: { member: string }) {
  const { progress } = useProgress();
  const { creation, create } = useCreation(member);
  return (
    <DataCard data={progress ?? undefined} {...CARD}>
      {(known) => <Identification progress={known} creation={creation} onCreate={create} />}
    </DataCard>
  );
}

const CARD = { id: "identity", title: "Smart Account and Machine ID" };

type IdentificationProps = { progress: Progress } & Pick<StatusPanelProps, "creation" | "onCreate">;

function Identification({ progress, creation, onCreate }: IdentificationProps) {
  const { requirements, stage, timeline } = progress;
  const identity = useIdentity(stage === "complete");
  return (
    <Card {...CARD}>
      <div className="grid gap-4.5">
        {showsRequirements(progress, creation) ? (
          <>
            <p className="text-ink-2">Three things are needed before your wallet can create a Smart Account.</p>
            <RequirementList {...requirements} />
            <FailureNote creation={creation} hearsToasts />
            <NeedsScript />
          </>
        ) : (
          <StatusPanel {...progress} creation={creation} onCreate={onCreate} hearsToasts />
        )}
        {identity && (
          <Guard data={identity} fallback={<MissingPart />}>
            {(record) => <Identity {...record} />}
          </Guard>
        )}
        {timeline && <Timeline timeline={timeline} />}
      </div>
    </Card>
  );
}

function Identity({ did_name, public_address, owner, created_at, block_hash }: MachineIdentityRecord) {
  return (
    <dl className="grid gap-3">
      <Fact name="Identity" value={did_name} copies />
      <Fact name="Machine address" value={public_address} copies />
      <Fact name="Owner" value={owner} />
      <Fact name="Block" value={block_hash} />
      <div className="grid gap-1">
        <dt className="label">Created</dt>
        <dd className="text-small">
          <time dateTime={created_at}>{formatDay(created_at)}</time>
        </dd>
      </div>
    </dl>
  );
}

function Fact({ name, value, copies = false }: { name: string; value: string; copies?: boolean }): ReactNode {
  if (!value) return null;
  return (
    <div className="grid gap-1">
      <dt className="label">{name}</dt>
      <dd className="flex items-center gap-2.5">
        <span className="num min-w-0 text-hint wrap-anywhere">{value}</span>
        {copies && (
          <CopyButton text={value} aria-label={`Copy ${name}`} className={buttonClass({ size: "sm" }, "ms-auto")}>
            {(copied) => (copied ? "Copied!" : "Copy")}
          </CopyButton>
        )}
      </dd>
    </div>
  );
}
