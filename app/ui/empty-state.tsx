import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

type EmptyStateProps = { title: string; text: string; children?: ReactNode; headingLevel?: "h2" | "h3" };

/** Replaces an empty list and says what to do about it. */
export function EmptyState({ title, text, children, headingLevel: Heading = "h3" }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon name="pulse" />
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children}
    </div>
  );
}
