import type { Incident } from "../../server/status/contract.ts";
import { formatUtc } from "../ui/time.tsx";

/** An incident with the names of its impact and its part. */
export type IncidentView = Omit<Incident, "impact" | "part"> & { impact: string; part: string | null };

/** Lists incidents with everything that was published about them, and when. */
export function IncidentList({ incidents }: { incidents: IncidentView[] }) {
  return (
    <ul className="grid gap-6">
      {incidents.map((incident) => (
        <li key={incident.id}>
          <OneIncident {...incident} />
        </li>
      ))}
    </ul>
  );
}

function OneIncident({ impact, part, resolvedAt, startedAt, title, updates }: IncidentView) {
  return (
    <article className="grid gap-2">
      <h3 className="font-strong wrap-anywhere">{title}</h3>
      <p className="text-hint text-ink-2">
        {part && `${part} · `}
        {impact} · from <Utc at={startedAt} />
        {resolvedAt ? (
          <>
            {" until "}
            <Utc at={resolvedAt} />
          </>
        ) : (
          ", ongoing"
        )}
      </p>
      <ol className="grid gap-4 border-s-2 border-line ps-3.5">
        {updates.map(({ at, text }) => (
          <li key={at + text} className="grid gap-0.5">
            <span className="num text-hint text-ink-2">
              <Utc at={at} />
            </span>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ol>
    </article>
  );
}

const Utc = ({ at }: { at: string }) => <time dateTime={at}>{formatUtc(at)}</time>;
