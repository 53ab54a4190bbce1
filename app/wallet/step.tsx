import type { ReactNode } from "react";
import { useLostFocus } from "../ui/lost-focus.ts";

type StepProps = {
  tone?: "plain" | "busy" | "bad";
  /** Without one there is nothing to say yet. */
  title?: string;
  /** What to do next. */
  text?: string;
  children?: ReactNode;
};

const TONES = { plain: "bg-sunken text-ink-2", busy: "bg-info-soft text-info", bad: "bg-pulse-soft text-bad" };

/** The step that a request to a wallet has reached, and what to do next. Screen readers announce its changes. */
export function Step({ tone = "plain", title = "", text, children }: StepProps) {
  return (
    <div className={title ? "grid gap-4" : "sr-only"}>
      <div
        ref={useLostFocus(title)}
        role={tone === "busy" ? "status" : "alert"}
        className={`grid gap-1 rounded-control px-3 py-2.5 text-small forced-colors:border ${TONES[tone]}`}
      >
        {title && (
          <>
            <p className="font-strong">{title}</p>
            <p className="text-ink-2">{text}</p>
          </>
        )}
      </div>
      {children}
    </div>
  );
}

/** Named addresses below one another, in full so that they can be compared. */
export function Addresses({ rows }: { rows: [name: string, address: string][] }) {
  return (
    <dl className="grid gap-2.5">
      {rows.map(([name, address]) => (
        <div key={name} className="grid gap-1">
          <dt className="label">{name}</dt>
          <dd className="num text-hint wrap-anywhere">{address}</dd>
        </div>
      ))}
    </dl>
  );
}
