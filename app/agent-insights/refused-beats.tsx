import type { RefusedBeat, RefusedBeats as Refused } from "../../server/heartbeats/contract.ts";
import { formatCount, formatNumber } from "../ui/number/number.ts";
import { Time } from "../ui/time.tsx";

const SHOWN = 5;

/** Lists the heartbeats that did not count, and why. */
export function RefusedBeats({ refused, total }: Refused) {
  if (total === 0) return <p className="text-hint text-ink-3">No heartbeat was refused recently.</p>;
  const rest = refused.slice(SHOWN);
  return (
    <section aria-labelledby="refused-beats" className="grid gap-2 *:min-w-0">
      <h3 id="refused-beats" className="label">
        {formatCount(total, "refused heartbeat")}
      </h3>
      <RefusedList beats={refused.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details className="text-hint">
          <summary className="w-fit rounded-tag py-0.5 text-ink-3 hover:text-ink">
            {`Show ${formatNumber(rest.length)}${total > refused.length ? ` of ${formatNumber(total - SHOWN)}` : ""} more`}
          </summary>
          <RefusedList beats={rest} />
        </details>
      )}
    </section>
  );
}

function RefusedList({ beats }: { beats: RefusedBeat[] }) {
  return (
    <ul className="text-small">
      {beats.map((beat) => (
        <li
          key={`${beat.claimedAt} ${beat.receivedAt} ${beat.device}`}
          className="grid gap-0.5 border-b border-line py-2.5 last:border-b-0"
        >
          <span>{beat.message}</span>
          {/* As wide as in UTC, so that nothing moves when the reader's own time zone replaces it. */}
          <span className="flex flex-wrap gap-x-4 text-hint text-ink-3">
            {beat.claimedAt && (
              <span className="min-w-[30ch]">
                claimed <Time dateTime={beat.claimedAt} />
              </span>
            )}
            <span className="min-w-[31ch]">
              received <Time dateTime={beat.receivedAt} />
            </span>
            <span className="wrap-anywhere">{beat.device ? `from ${beat.device}` : "without a key"}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
