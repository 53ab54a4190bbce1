import { useId, type ReactNode } from "react";
import { useLocation } from "react-router";
import { useLostFocus } from "./lost-focus.ts";

type CardProps = {
  /** Lets links lead to the card. */
  id?: string;
  title: string;
  /** Shown at the end of the title's line. */
  aside?: ReactNode;
  /** Set to false for a table, which reaches the edges and draws its own lines. */
  padded?: boolean;
  /** Changes when the content does. If that removes the focused element, the title takes the focus. */
  said?: string;
  className?: string;
  children: ReactNode;
};

/** A titled section on its own surface. */
export function Card({ id, title, aside, padded = true, said = "", className = "", children }: CardProps) {
  const titleId = useId();
  const { hash, key } = useLocation();
  // A link may lead to this card, also from another page. Otherwise the content that the card has when its page opens
  // is not news.
  const ledBy = hash === `#${id}` ? key : "";
  const heading = useLostFocus<HTMLHeadingElement>(said + ledBy, true, !ledBy && said);
  return (
    <section id={id} aria-labelledby={titleId} className={`card ${className}`.trimEnd()}>
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
