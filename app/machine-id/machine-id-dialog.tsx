import { useEffect, useRef } from "react";
import { Button, buttonClass } from "../ui/button.tsx";
import { CloseDialog, Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { formatNumber } from "../ui/number.ts";
import { openWallet } from "../wallet/wallet-state.ts";
import { areMet, RequirementList, type Requirements } from "./requirement-list.tsx";
import { StatusPanel } from "./status-panel.tsx";
import { Timeline } from "./timeline.tsx";
import { useCreation } from "./use-creation.ts";
import { useProgress } from "./use-progress.ts";

const MACHINE_ID_DIALOG = "machine-id-dialog";
/** Milliseconds for which the dialog shows what was queued, before it closes. */
const SHOWN_MS = 2000;

type MachineIdDialogProps = { member: string; onClose: () => void };

/** The requirements until they are met, then the state of the Machine ID and its next step. */
export function MachineIdDialog({ member, onClose }: MachineIdDialogProps) {
  const progress = useProgress();
  const { creation, create } = useCreation(member);
  const isDone = creation.state === "success";
  useModal(onClose);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(closeDialog, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);

  const needs = progress?.stage === "no-account" && !areMet(progress.requirements);
  return (
    <Dialog id={MACHINE_ID_DIALOG} title={needs ? "Machine ID Requirements" : "Machine ID"}>
      {!progress && <Waiting />}
      {progress && needs && <Needs {...progress.requirements} />}
      {progress && !needs && (
        <>
          <StatusPanel {...progress} creation={creation} onCreate={create} />
          {progress.timeline && <Timeline {...progress.timeline} />}
        </>
      )}
      <div className="flex justify-end">
        <CloseDialog className={buttonClass({ variant: "quiet" })}>Close</CloseDialog>
      </div>
    </Dialog>
  );
}

/** Opens the dialog with its first sight, and tells of its end. */
function useModal(onClose: () => void) {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  }, [onClose]);
  useEffect(() => {
    const dialog = document.getElementById(MACHINE_ID_DIALOG);
    if (!(dialog instanceof HTMLDialogElement)) return undefined;
    const tell = () => latest.current();
    if (!dialog.open) dialog.showModal();
    dialog.addEventListener("close", tell);
    return () => dialog.removeEventListener("close", tell);
  }, []);
}

function closeDialog() {
  const dialog = document.getElementById(MACHINE_ID_DIALOG);
  if (dialog instanceof HTMLDialogElement) dialog.close();
}

/** One dialog at a time. */
function leaveFor(dialog: "connect" | "link") {
  closeDialog();
  openWallet(dialog);
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

function Needs(requirements: Requirements) {
  return (
    <>
      <RequirementList {...requirements} />
      <NextStep {...requirements} />
    </>
  );
}

/** The first thing that is missing, in words, and where it is done. */
function NextStep({ walletLinked, walletConnected, heartbeats, required }: Requirements) {
  if (!walletLinked || !walletConnected) {
    return (
      <>
        <p className="text-small text-ink-2">
          {walletLinked
            ? "Connect the wallet that is linked to your account."
            : "Connect your wallet and link it to your account."}
        </p>
        <Button variant="pulse" onClick={() => leaveFor(walletConnected ? "link" : "connect")}>
          {walletConnected ? "Link wallet" : "Connect wallet"}
        </Button>
      </>
    );
  }
  return (
    <p className="text-small text-ink-2">
      {formatNumber(required - heartbeats)} more heartbeats from your node, and you can create your Smart Account.
    </p>
  );
}
