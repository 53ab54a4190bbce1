import type { ReactNode } from "react";
import type { MachineIdStatus, SmartAccountStatus } from "../../server/machine-id/contract.ts";
import { shortenAddress } from "../wallet/short-address.ts";
import { Button, buttonClass } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { useLostFocus } from "../ui/lost-focus.ts";
import { showToast } from "../ui/toast/toast.ts";
import type { Creation, CreationKind } from "./creation.ts";
import type { Stage } from "./stage.ts";

export type StatusPanelProps = {
  stage: Stage;
  account: SmartAccountStatus;
  machineId: MachineIdStatus;
  /** The address of the finished Machine ID. Null if there is none, undefined while it is being read. */
  address: string | null | undefined;
  creation: Creation;
  onCreate: (kind: CreationKind) => void;
  /** Whether screen readers announce toasts beside it, which they do not under a dialog. */
  hearsToasts?: boolean;
};

/** Shows how far the member is on the way to a Machine ID, and the one next step (product specification, section 4). */
export function StatusPanel({ account, onCreate, ...state }: StatusPanelProps) {
  const { creation, hearsToasts } = state;
  const act = (kind: CreationKind, label: string) => (
    <CreateButton creation={creation} hearsToasts={hearsToasts} label={label} onClick={() => onCreate(kind)} />
  );
  switch (findPanel(state)) {
    case "no-account":
      return (
        <Panel tone="good" title={SENTENCES["no-account"]}>
          {account.status === "failed" && <p className="text-small text-bad">{account.message}</p>}
          <p>Your wallet signs once. We pay the network fee.</p>
          {act("smart-account", "Create Smart Account")}
        </Panel>
      );
    case "queued":
      return <Queued />;
    case "creatable":
      return (
        <Panel tone="info" title={STATUS}>
          <p>{SENTENCES.creatable}</p>
          {act("machine-id", "Create Machine ID")}
        </Panel>
      );
    case "signable":
      return (
        <Panel tone="info" title={STATUS}>
          <p>{SENTENCES.signable}</p>
          {act("machine-id", "Sign to create Machine ID")}
        </Panel>
      );
    case "in-progress":
      return <InProgress />;
    default:
      return <Finished {...state} />;
  }
}

type Shown = Pick<StatusPanelProps, "stage" | "machineId" | "creation">;

/** Returns what the panel says, for where its change has to be announced. */
export const describeStatus = (state: Shown): string => SENTENCES[findPanel(state)];

function findPanel({ stage, machineId, creation }: Shown): Stage | "signable" {
  // Confirms first what was submitted, however fast the network is.
  if (creation.state === "success") return creation.kind === "smart-account" ? "queued" : "in-progress";
  return stage === "in-progress" && machineId.status === "waiting_for_signature" ? "signable" : stage;
}

const STATUS = "Machine ID Status";
const SENTENCES = {
  "no-account": "All requirements met!",
  queued: "Smart Account Creation Queued",
  creatable: "Ready to create your Machine ID",
  signable: "Your Machine ID is ready to sign. Sign with your wallet to create it.",
  "in-progress": "Machine ID creation in progress...",
  complete: "Machine ID creation completed!",
};

function Queued() {
  return (
    <Panel tone="info" title={SENTENCES.queued}>
      <p>The network is creating your Smart Account. You can leave this page; it continues in the background.</p>
    </Panel>
  );
}

function InProgress() {
  return (
    <Panel tone="info" title={STATUS}>
      <p>{SENTENCES["in-progress"]}</p>
    </Panel>
  );
}

function Finished({ address, hearsToasts }: Pick<StatusPanelProps, "address" | "hearsToasts">) {
  return (
    <Panel tone="info" title={STATUS}>
      <p>{SENTENCES.complete}</p>
      {address && (
        <div className="flex flex-wrap items-center gap-2.5">
          <span className="num" title={address}>
            {shortenAddress(address)}
          </span>
          <CopyButton
            text={address}
            quiet={hearsToasts}
            className={buttonClass({ size: "sm" }, "ms-auto")}
            onCopied={() => showToast("Machine ID copied to clipboard", { tone: "success" })}
          >
            {(copied) => (copied ? "Copied!" : "Copy Machine ID")}
          </CopyButton>
        </div>
      )}
      {address === null && <p>Machine ID not available</p>}
    </Panel>
  );
}

const TONES = {
  good: { box: "bg-good-soft inset-ring-good/30", title: "text-good" },
  info: { box: "bg-info-soft inset-ring-info/30", title: "text-info" },
};

function Panel({ tone, title, children }: { tone: keyof typeof TONES; title: string; children: ReactNode }) {
  return (
    <div className={`grid gap-3 rounded-card p-4 text-ink-2 inset-ring forced-colors:border ${TONES[tone].box}`}>
      <h3 ref={useLostFocus(title)} className={`font-bold ${TONES[tone].title}`}>
        {title}
      </h3>
      {children}
    </div>
  );
}

type CreateButtonProps = FailureNoteProps & { label: string; onClick: () => void };

/** Only a script can ask a wallet. Without one, the page says so here. */
function CreateButton({ creation, hearsToasts, label, onClick }: CreateButtonProps) {
  const busy = creation.state === "creating";
  const waits = busy && creation.waitsForWallet;
  return (
    <>
      <FailureNote creation={creation} hearsToasts={hearsToasts} />
      <Button
        variant="pulse"
        aria-disabled={busy}
        onClick={busy ? undefined : onClick}
        className="w-full noscript:hidden"
      >
        {busy ? (waits ? "Waiting for your wallet…" : "One moment…") : label}
      </Button>
      <output className="text-small empty:sr-only">
        {waits ? "Open your wallet and respond to the request." : null}
      </output>
      <NeedsScript />
    </>
  );
}

type FailureNoteProps = Pick<StatusPanelProps, "creation" | "hearsToasts">;

/** Says why the creation that was begun here has failed. Screen readers announce it unless they announce a toast. */
export function FailureNote({ creation, hearsToasts = false }: FailureNoteProps) {
  const failure = creation.state === "error" ? creation : null;
  return (
    <p role={hearsToasts && failure?.isToasted ? undefined : "alert"} className="text-small text-bad empty:hidden">
      {failure?.text}
    </p>
  );
}

/** Says without a script that only a script can ask a wallet. */
export function NeedsScript() {
  return (
    <p className="hidden text-small text-ink-2 noscript:block">
      Signing needs your wallet, and a wallet needs JavaScript. Everything else here works without it.
    </p>
  );
}
