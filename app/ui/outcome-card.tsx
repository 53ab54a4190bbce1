import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { useLostFocus } from "./lost-focus.ts";

type OutcomeCardProps = {
  /** Null if there is nothing to say yet. */
  text: string | null;
  isGood: boolean;
  /** What the reader can do about it. */
  children?: ReactNode;
};

/**
 * Reports in the page how something went. Rendered before it has any text, so that screen readers announce the text.
 */
export function OutcomeCard({ text, isGood, children }: OutcomeCardProps) {
  return (
    <div className={text === null ? "sr-only" : CARD}>
      {text !== null && (
        <Icon name={isGood ? "done" : "alert"} className={`size-4.5 shrink-0 ${isGood ? "text-good" : "text-bad"}`} />
      )}
      <output ref={useLostFocus(text)} className="min-w-0 grow basis-48 wrap-anywhere">
        {text}
      </output>
      {children}
    </div>
  );
}

const CARD =
  "mb-4.5 flex flex-wrap items-center gap-x-3 gap-y-2.5 rounded-card border border-line bg-surface px-4.5 py-3 shadow-card";
