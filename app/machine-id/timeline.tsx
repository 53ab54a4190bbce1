import type { MachineTimelineStep, MachineTimeline } from "../../server/machine-id/contract.ts";
import { shortenAddress } from "../wallet/short-address.ts";
import { MissingPart } from "../ui/data-card.tsx";
import { Guard } from "../ui/guard.tsx";
import { Pill } from "../ui/pill.tsx";
import { Time } from "../ui/time.tsx";

const WORDS: Record<MachineTimelineStep["subject"], Record<MachineTimelineStep["step"], string>> = {
  "smart-account": {
    queued: "Smart Account queued",
    signed: "Smart Account signed",
    deployed: "Smart Account deployed",
    registered: "Smart Account registered",
    failed: "Smart Account could not be created",
  },
  "machine-id": {
    queued: "Machine ID requested",
    signed: "Machine ID signed",
    deployed: "Machine ID sent",
    registered: "Machine ID registered",
    failed: "Machine ID could not be created",
  },
};

/** What has happened so far, oldest first, with a link to each transaction that is on a public network. */
export function Timeline({ timeline }: { timeline: MachineTimeline }) {
  return (
    <Guard data={timeline} fallback={<MissingPart />}>
      {(known) => <Steps {...known} />}
    </Guard>
  );
}

function Steps({ mode, steps }: MachineTimeline) {
  if (steps.length === 0) return null;
  return (
    <section aria-label="History" className="grid gap-2.5">
      <div className="flex items-center gap-2.5">
        <h3 className="label me-auto">History</h3>
        {mode === "embedded" && <Pill tone="mute">Embedded ledger</Pill>}
      </div>
      <ol className="grid gap-0">
        {steps.map((step, index) => (
          <Step key={`${step.subject} ${step.step} ${step.at}`} {...step} isLast={index === steps.length - 1} />
        ))}
      </ol>
      {mode === "embedded" && (
        <p className="text-hint text-ink-3">
          This installation keeps accounts and identities itself. There is no public network behind it.
        </p>
      )}
    </section>
  );
}

function Step({ subject, step, at, hash, explorerUrl, note, isLast }: MachineTimelineStep & { isLast: boolean }) {
  return (
    <li className="relative grid gap-0.5 ps-5.5 pb-3.5 last:pb-0">
      {/* From this dot to the next one, and no further. */}
      {!isLast && <i aria-hidden className="absolute -bottom-2.5 start-1 top-2.5 border-s border-line" />}
      <span
        aria-hidden
        className={`absolute start-0 top-1.5 size-2 rounded-full forced-colors:border ${step === "failed" ? "bg-bad" : "bg-good"}`}
      />
      <span className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-strong">{WORDS[subject][step]}</span>
        <Time dateTime={at} className="text-hint text-ink-3" />
      </span>
      {note && <span className="text-small text-ink-2">{note}</span>}
      {hash && <Transaction hash={hash} explorerUrl={explorerUrl} />}
    </li>
  );
}

function Transaction({ hash, explorerUrl }: { hash: string; explorerUrl: string | null }) {
  // Leaves out the mark of the embedded ledger's ids, because the words beside the heading already say that.
  const short = shortenAddress(hash.replace("embedded:", ""));
  return (
    <span className="num text-hint text-ink-3" title={hash}>
      {explorerUrl ? (
        <a href={explorerUrl} target="_blank" rel="noopener noreferrer" className="underline hover:text-ink">
          {short} <span className="sr-only">in the explorer (opens in a new tab)</span>
        </a>
      ) : (
        short
      )}
    </span>
  );
}
