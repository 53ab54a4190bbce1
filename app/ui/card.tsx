import { useId, type ReactNode } from "react";
import { useLocation } from "react-router";
import { useLostFocus } from "./lost-focus.ts";

type CardProps = {
  /** Makes it an address of its own. */
  id?: string;
  title: string;
  /** Stands at the end of the title's line. */
  aside?: ReactNode;
  /** False for a table, which reaches the edges and draws its own lines. */
  padded?: boolean;
  /** Changes with what is in it: its title takes the focus that is lost then. */
  said?: string;
  className?: string;
  children: ReactNode;
};

/** A titled section on its own surface. */
export function Card({ id, title, aside, padded = true, said = "", className = "", children }: CardProps) {
  const titleId = useId();
  const { hash, key } = useLocation();
  // A link on another page may lead here, too. Without one, what a card holds when its page opens is no news.
  const ledBy = hash === `#${id}` ? key : "";
  const heading = useLostFocus<HTMLHeadingElement>(said + ledBy, true, !ledBy && said);
  return (
    <section id={id} aria-labelledby={titleId} className={`${surfaceClass} ${className}`.trimEnd()}>
      <header className={padded ? "card-head" : "card-head pb-3.5"}>
        <h2 ref={heading} id={titleId}>
          {title}
        </h2>
        {aside}
      </header>
      {padded ? <div className="card-body">{children}</div> : children}
    </section>
  );
}

export const surfaceClass = "card";
