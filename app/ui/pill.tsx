import type { ReactNode } from "react";

export type PillTone = "good" | "warn" | "info" | "mute";

const TONES: Record<PillTone, string> = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  info: "bg-info-soft text-info",
  mute: "bg-sunken text-ink-2",
};

/** A state in a word or two. */
export function Pill({ tone, children }: { tone: PillTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5.5 shrink-0 items-center gap-1.5 rounded-small px-2 text-[0.75rem] leading-none font-strong forced-colors:border ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
