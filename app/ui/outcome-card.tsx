import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { useLostFocus } from "./lost-focus.ts";

type OutcomeCardProps = {
  /** Null where there is nothing to say yet. */
  text: string | null;
  isGood: boolean;
  /** What can be done about it. */
  children?: ReactNode;
};

/** Says in the page what became of something. There before it has anything to say, so that what it says is read out. */
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
