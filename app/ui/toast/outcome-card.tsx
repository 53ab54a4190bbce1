import { useEffect, type ReactNode } from "react";
import { Icon } from "../icon.tsx";
import { showToast } from "./toast.ts";

type OutcomeCardProps = {
  /** One for all that is said of the same thing: a second run of the effect replaces the toast instead of adding one. */
  id: string;
  text: string;
  isGood: boolean;
  /** What can be done about it. */
  children?: ReactNode;
};

/** Says in the page what became of something. A toast says the same, for a reader who looks elsewhere. */
export function OutcomeCard({ id, text, isGood, children }: OutcomeCardProps) {
  useEffect(() => {
    showToast(text, { tone: isGood ? "success" : "error", id });
  }, [id, isGood, text]);
  return (
    <div className="mb-4.5 flex flex-wrap items-center gap-x-3 gap-y-2.5 rounded-card border border-line bg-surface px-4.5 py-3 shadow-card">
      <Icon name={isGood ? "done" : "alert"} className={`size-4.5 shrink-0 ${isGood ? "text-good" : "text-bad"}`} />
      <output className="grow basis-48">{text}</output>
      {children}
    </div>
  );
}
