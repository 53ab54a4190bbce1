import type { ReactNode } from "react";
import { EmptyState } from "../ui/empty-state.tsx";

/** A page that has one thing to say. Its title is in the header. */
export function PlainPage({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="card">
      <EmptyState headingLevel="h2" title={title} text={text}>
        {children}
      </EmptyState>
    </div>
  );
}
