import { useEffect, useState } from "react";
import { shortenAddress } from "../wallet/short-address.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import type { MachineIdIsland } from "./machine-id.island.tsx";
import type { Stage } from "./stage.ts";
import { useIdentity, useMachineId } from "./use-machine-id.ts";

/** Where all of this can be read without a script. */
const PAGE = "/profile#identity";

const LABELS: Partial<Record<Stage, string>> = {
  "no-account": "Create Smart Account",
  creatable: "Create Machine ID",
  "in-progress": "Machine ID Creation in Progress",
};

/**
 * The header's next step towards a Machine ID, by state (product specification, section 4). What it opens, and what is
 * said when a state changes, is loaded once the page is interactive.
 */
export function HeaderAction({ member }: { member: string }) {
  const { account, machineId, stage } = useMachineId();
  const [Island, setIsland] = useState<typeof MachineIdIsland>();
  const [open, setOpen] = useState(false);

  useEffect(() => {
    // Nothing is lost without it but the toasts: the link leads to the page that does the same.
    import("./machine-id.island.tsx").then(
      (module) => setIsland(() => module.MachineIdIsland),
      () => setIsland(undefined),
    );
  }, []);

  return (
    <>
      {!account.isError && !machineId.isError && <Action stage={stage} onOpen={Island && (() => setOpen(true))} />}
      {Island && <Island member={member} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

type ActionProps = { stage: Stage | null; onOpen: (() => void) | undefined };

function Action({ stage, onOpen }: ActionProps) {
  if (stage === "queued") return <Button disabled>Smart Account Creation Queued</Button>;
  if (stage === "complete") return <MachineIdChip onOpen={onOpen} />;
  const label = stage && LABELS[stage];
  if (!label) return null;
  return (
    <a
      href={PAGE}
      aria-haspopup={onOpen && "dialog"}
      className={buttonClass({ variant: "pulse" })}
      onClick={(event) => {
        if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {label}
    </a>
  );
}

/** The finished Machine ID, to be copied. */
function MachineIdChip({ onOpen }: Pick<ActionProps, "onOpen">) {
  const address = useIdentity(true)?.public_address;

  async function copy() {
    if (!address) {
      showToast("Machine ID not available", { tone: "error" });
      onOpen?.();
      return;
    }
    try {
      await navigator.clipboard.writeText(address);
      showToast("Machine ID copied to clipboard", { tone: "success" });
    } catch {
      showToast("Your browser did not allow copying.", { tone: "error" });
    }
  }

  return (
    <span className="num inline-flex h-8.5 items-center gap-1 rounded-control border border-line bg-surface ps-2.75 pe-1 text-small noscript:pe-2.75">
      <a href={PAGE} title={address} className="inline-flex items-center gap-1.5 no-underline hover:underline">
        <span className="label">ID</span>
        {address ? shortenAddress(address) : "—"}
      </a>
      <button
        type="button"
        aria-label="Copy Machine ID"
        onClick={() => void copy()}
        className="grid size-6 place-items-center rounded-tag text-ink-3 hover:text-ink noscript:hidden"
      >
        <Icon name="copy" className="size-3.5" />
      </button>
    </span>
  );
}
