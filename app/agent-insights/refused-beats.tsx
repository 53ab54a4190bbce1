import type { RefusedBeat, RefusedBeats as Refused } from "../../server/heartbeats/contract.ts";
import { formatNumber } from "../ui/number.ts";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

const SHOWN = 5;

const COLUMNS: Column<RefusedBeat>[] = [
  {
    head: "Received",
    cell: ({ receivedAt }) => <Time dateTime={receivedAt} />,
    className: "num w-48 whitespace-nowrap",
  },
  { head: "Claimed", cell: (beat) => <Claimed {...beat} />, className: "num w-52 whitespace-nowrap" },
  { head: "Why it did not count", cell: ({ message }) => message, className: "min-w-64" },
  { head: "Machine", cell: ({ device }) => device ?? "Without a key", className: "min-w-32 wrap-anywhere" },
];

/** With its year where that is another, and so what is wrong. */
function Claimed({ claimedAt, receivedAt }: RefusedBeat) {
  if (!claimedAt) return "Not read";
  const year = claimedAt.slice(0, 4);
  return (
    <>
      {year !== receivedAt.slice(0, 4) && `${year}, `}
      <Time dateTime={claimedAt} />
    </>
  );
}

/** The beats that did not count, and why. */
export function RefusedBeats({ refused, total }: Refused) {
  if (total === 0) return <p className="text-small text-ink-2">No heartbeat was refused in the last 30 days.</p>;
  const rest = refused.slice(SHOWN);
  return (
    <section aria-labelledby="refused-beats" className="grid gap-3 *:min-w-0">
      <h3 id="refused-beats" className="label">
        {total === 1 ? "1 refused heartbeat" : `${formatNumber(total)} refused heartbeats`}
      </h3>
      <div className="-mx-4.5">
        <RefusedTable caption="Refused heartbeats" rows={refused.slice(0, SHOWN)} />
      </div>
      {rest.length > 0 && (
        <details className="text-hint">
          <summary className="w-fit rounded-tag py-0.5 text-ink-3 hover:text-ink">
            Show {formatNumber(rest.length)} earlier ones
          </summary>
          <div className="-mx-4.5 mt-2">
            <RefusedTable caption="Earlier refused heartbeats" rows={rest} />
          </div>
        </details>
      )}
    </section>
  );
}

const RefusedTable = ({ caption, rows }: { caption: string; rows: RefusedBeat[] }) => (
  <Table caption={caption} columns={COLUMNS} rows={rows} rowKey={(_, index) => index} />
);
