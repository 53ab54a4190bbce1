import { useEffect, useState, type ReactNode } from "react";
import { asText } from "../cache/as-text.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { userQuery } from "../member/reads.ts";
import { statsQuery } from "../points/reads.ts";
import { useRules } from "../points/use-rules.ts";
import { shortenAddress } from "../wallet/short-address.ts";
import { Button, buttonClass } from "../ui/controls/button.tsx";
import { CopyButton, copyIcon } from "../ui/controls/copy-button.tsx";
import { showToast } from "../ui/toast/toast.ts";
import type { MachineIdIsland } from "./machine-id.island.tsx";
import { NOT_NOW } from "./not-now.ts";
import { wasUnderWay } from "./seen.ts";
import type { Stage } from "./stage.ts";
import { useIdentity, useMachineId } from "./use-machine-id.ts";

/** The page where all of this can be read without a script. */
const PAGE = "/profile#identity";

const LABELS: Partial<Record<Stage, string>> = {
  "no-account": "Create Smart Account",
  creatable: "Create Machine ID",
  "in-progress": "Machine ID Creation in Progress",
};

/**
 * The header's next step towards a Machine ID, by state (product specification, section 4). The dialog, and the toasts
 * about changes of state, load once the dialog is opened or something is under way.
 */
export function HeaderAction({ member }: { member: string }) {
  const { account, machineId, stage } = useMachineId();
  const [isOpen, setOpen] = useState(false);
  // The statuses that this page began with, so that the island can report what changed before it loaded.
  const [before] = useState({ account: account.data?.status, machineId: machineId.data?.status, stage });
  const isUnknown = account.isError || machineId.isError;
  const isUnderWay = stage === "queued" || stage === "in-progress";
  // A fast network skips the states between.
  const hasMoved = before.stage !== null && stage !== before.stage;
  const { Island } = useIsland(isOpen, isUnderWay || hasMoved || isUnknown, () => setOpen(false));

  return (
    <>
      {!isUnknown && (
        <Action stage={stage} isWaiting={machineId.data?.status === "pending"} onOpen={() => setOpen(true)} />
      )}
      {Island && <Island member={member} before={before} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}

/**
 * Returns the island once it is needed, or if something was under way in this tab before a reload. After a failure,
 * opening the dialog loads it again.
 */
function useIsland(isOpen: boolean, isNeeded: boolean, onFailure: () => void) {
  const [Island, setIsland] = useState<typeof MachineIdIsland>();
  useEffect(() => {
    if (!isOpen && !isNeeded && !wasUnderWay()) return;
    import("./machine-id.island.tsx").then(
      (module) => setIsland(() => module.MachineIdIsland),
      () => {
        if (!isOpen) return;
        onFailure();
        showToast(NOT_NOW, { tone: "error" });
      },
    );
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another handler of failures is no reason to load again
  }, [isOpen, isNeeded]);
  return { Island };
}

type ActionProps = {
  stage: Stage | null;
  /** Whether the network has to act next. */
  isWaiting: boolean;
  onOpen: () => void;
};

function Action({ stage, isWaiting, onOpen }: ActionProps) {
  if (stage === "queued") return <Button disabled>Smart Account Creation Queued</Button>;
  if (stage === "complete") return <MachineIdChip onOpen={onOpen} />;
  const label = stage && LABELS[stage];
  if (!label) return null;
  return <NextStep label={label} isMain={!isWaiting} onOpen={onOpen} />;
}

type NextStepProps = { label: string; isMain: boolean; onOpen: () => void };

/** The main action of the page once the member can take it. Until then it looks quiet. */
function NextStep({ label, isMain, onOpen }: NextStepProps) {
  const isReady = useIsReady();
  return (
    <DialogLink onOpen={onOpen} className={buttonClass({ variant: isMain && isReady ? "pulse" : "quiet" })}>
      {label}
    </DialogLink>
  );
}

/** Returns whether the steps that take time are done. Connecting the wallet is a step of the dialog itself. */
function useIsReady(): boolean {
  const read = useRead();
  const { data: user } = useQuery(userQuery(read));
  const { data: stats } = useQuery(statsQuery(read));
  const { heartbeatsRequired } = useRules();
  return Boolean(asText(user?.wallet)) && (stats?.heartbeats ?? 0) >= heartbeatsRequired;
}

type DialogLinkProps = {
  onOpen: () => void;
  className: string;
  title?: string | undefined;
  translate?: "no";
  children: ReactNode;
};

/** Opens the dialog. Without a script, or in another tab, it is a link to the page that says the same. */
function DialogLink({ onOpen, children, ...props }: DialogLinkProps) {
  return (
    <a
      href={PAGE}
      {...props}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {children}
    </a>
  );
}

const COPY = {
  "aria-label": "Copy Machine ID",
  className: "grid size-6 place-items-center rounded-tag text-ink-3 hover:text-ink",
};

/** The finished Machine ID, with a button that copies it. */
function MachineIdChip({ onOpen }: Pick<ActionProps, "onOpen">) {
  const identity = useIdentity(true);
  const address = asText(identity?.public_address) ?? undefined;

  function explain() {
    showToast("Machine ID not available", { tone: "error" });
    onOpen();
  }

  return (
    <span className="num chip gap-1 pe-1 whitespace-nowrap noscript:pe-2.75">
      <DialogLink
        onOpen={onOpen}
        title={address}
        translate="no"
        className="inline-flex items-center gap-2 no-underline hover:underline"
      >
        <span className="label">ID</span>
        {address ? shortenAddress(address) : "–"}
      </DialogLink>
      {address ? (
        <CopyButton
          {...COPY}
          text={address}
          quiet
          onCopied={() => showToast("Machine ID copied to clipboard", { tone: "success" })}
        >
          {copyIcon}
        </CopyButton>
      ) : (
        <button
          {...COPY}
          type="button"
          disabled={identity === undefined}
          onClick={explain}
          className={`${COPY.className} noscript:hidden`}
        >
          {copyIcon(false)}
        </button>
      )}
    </span>
  );
}
