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
  return <span className={`pill ${TONES[tone]}`}>{children}</span>;
}
