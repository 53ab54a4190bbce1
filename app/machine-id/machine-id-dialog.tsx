import { useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { formatCount } from "../ui/number/number.ts";
import { openWallet, useWalletState } from "../wallet/wallet-state.ts";
import type { Creation } from "./creation.ts";
import { NOT_NOW } from "./not-now.ts";
import { RequirementList, showsRequirements, type Requirements } from "./requirement-list.tsx";
import { describeStatus, FailureNote, StatusPanel } from "./status-panel.tsx";
import { Timeline } from "./timeline.tsx";
import { useCreation } from "./use-creation.ts";
import { useProgress } from "./use-progress.ts";

type MachineIdDialogProps = { member: string; onClose: () => void };

/** The requirements until they are met, then the state of the Machine ID and its next step. */
export function MachineIdDialog({ member, onClose }: MachineIdDialogProps) {
  const progressState = useProgress({ again: true });
  const { creation, create } = useCreation(member, onClose);
  // One dialog at a time: the wallet's dialogs replace this one while they are open.
  const isHidden = useWalletState().request !== undefined;
  const { progress } = progressState;
  const needs = progress && showsRequirements(progress, creation);
  return (
    <Dialog
      shown={!isHidden}
      cross
      title={needs ? "Machine ID Requirements" : "Machine ID"}
      onClose={() => isHidden || onClose()}
    >
      {!progress && <Unknown {...progressState} />}
      {needs && <Needs requirements={progress.requirements} creation={creation} />}
      {progress && !needs && (
        <>
          <StatusPanel {...progress} creation={creation} onCreate={create} />
          {progress.timeline && <Timeline timeline={progress.timeline} />}
        </>
      )}
      <Announcement text={progress && !needs ? describeStatus({ ...progress, creation }) : null} />
      {/* The toast that says so lies below the dialog, out of reach. */}
      <p role="alert" className="text-small text-bad empty:hidden">
        {progress && progressState.isUnknown ? STALE : null}
      </p>
    </Dialog>
  );
}

/** Announces what the panel says once that has changed. The toasts that do so elsewhere lie below the dialog. */
function Announcement({ text }: { text: string | null }) {
  const [first] = useState(text);
  return <output className="sr-only">{text === first ? null : text}</output>;
}

const STALE = "The status cannot be checked right now. What you see may be out of date.";

function Unknown({ isUnknown, retry }: { isUnknown: boolean; retry: () => void }) {
  if (!isUnknown) return <Waiting />;
  return (
    <div className="grid gap-3">
      <p role="alert" className="text-ink-2">
        {NOT_NOW}
      </p>
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid gap-3">
      <Skeleton className="w-2/5" />
      <Skeleton className="h-7 w-2/3" />
      <span className="sr-only">Loading</span>
    </div>
  );
}

function Needs({ requirements, creation }: { requirements: Requirements; creation: Creation }) {
  return (
    <>
      <RequirementList {...requirements} />
      <FailureNote creation={creation} />
      <NextStep {...requirements} />
    </>
  );
}

/** Names the first thing that is missing, and leads to where it is done. */
function NextStep({ walletLinked, walletConnected, heartbeats, required }: Requirements) {
  if (!walletLinked || !walletConnected) {
    return (
      <>
        <p className="text-small text-ink-2">
          {walletLinked
            ? "Connect the wallet that is linked to your account."
            : "Connect your wallet and link it to your account."}
        </p>
        <Button variant="pulse" onClick={() => openWallet(walletConnected ? "link" : "connect")}>
          {walletConnected ? "Link wallet" : "Connect wallet"}
        </Button>
      </>
    );
  }
  return (
    <p className="text-small text-ink-2">
      {`Your node needs to send ${formatCount(required - heartbeats, "more heartbeat")} before you can create your Smart Account.`}
    </p>
  );
}
