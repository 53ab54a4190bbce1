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
    <section id={id} aria-labelledby={titleId} className={`${surfaceClass} ${className}`.trimEnd()}>
      <header className={padded ? "card-head" : "card-head pb-3.5"}>
        <h2 id={titleId}>{title}</h2>
        {aside}
      </header>
      {padded ? <div className="card-body">{children}</div> : children}
    </section>
  );
}

export const surfaceClass = "card";
