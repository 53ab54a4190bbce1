import { useId, type ReactNode } from "react";

type CardProps = {
  /** Makes it an address of its own. */
  id?: string;
  title: string;
  /** Stands at the end of the title's line. */
  aside?: ReactNode;
  /** False for a table, which reaches the edges and draws its own lines. */
  padded?: boolean;
  className?: string;
  children: ReactNode;
};

/** A titled section on its own surface. */
export function Card({ id, title, aside, padded = true, className = "", children }: CardProps) {
  const titleId = useId();
  return (
    <section id={id} aria-labelledby={titleId} className={`${surfaceClass} scroll-mt-20 ${className}`}>
      <header className={`flex flex-wrap items-center gap-2.5 px-4.5 pt-3.75 ${padded ? "" : "pb-3.5"}`}>
        <h2 id={titleId} className="me-auto text-heading leading-[1.3] font-bold tracking-[-0.01em]">
          {title}
        </h2>
        {aside}
      </header>
      {padded ? <div className="px-4.5 pt-4 pb-4.5">{children}</div> : children}
    </section>
  );
}

export const surfaceClass = "min-w-0 rounded-card border border-line bg-surface shadow-card";
