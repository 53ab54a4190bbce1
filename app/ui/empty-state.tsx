import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

type EmptyStateProps = { title: string; text: string; children?: ReactNode; headingLevel?: "h2" | "h3" };

/** Stands where a list would, and says what to do about it. */
export function EmptyState({ title, text, children, headingLevel: Heading = "h3" }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2.5 p-9.5 text-center">
      <Icon name="pulse" className="size-11.5 text-ink-3" strokeWidth={1.4} />
      <Heading className="text-heading leading-[1.3] font-bold tracking-[-0.01em]">{title}</Heading>
      <p className="text-ink-2">{text}</p>
      {children}
    </div>
  );
}
