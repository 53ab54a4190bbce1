import { useEffect, useRef, type ReactNode } from "react";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Time } from "../ui/time.tsx";
import { AuthTitle } from "./auth-layout.tsx";

type Way = { to: string; words: string; /** Whether the link loads a new document. */ reloads?: boolean };

type DeadEndProps = {
  title: string;
  text: ReactNode;
  /** Links to where the visitor can go on. */
  ways: Way[];
  /** Whether none of them is what most visitors want. */
  quiet?: boolean;
  /** What else the visitor can do, shown before the links. */
  children?: ReactNode;
};

/** Says why the visitor cannot go on here, and where they can. Replaces a form and takes its focus. */
export function DeadEnd({ title, text, children, ...ways }: DeadEndProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid gap-5">
      <AuthTitle ref={heading} title={title} text={text} />
      {children}
      <WaysOn {...ways} />
    </div>
  );
}

export function WaysOn({ ways, quiet = false }: Pick<DeadEndProps, "ways" | "quiet">) {
  return (
    <div className="grid gap-2.5">
      {ways.map(({ to, words, reloads = false }, index) => (
        <ButtonLink
          key={to}
          to={to}
          variant={index === 0 && !quiet ? "ink" : "quiet"}
          size="lg"
          reloadDocument={reloads}
        >
          {words}
        </ButtonLink>
      ))}
    </div>
  );
}

/** Says when to try again, if the server says so. */
export function RetryTime({ at }: { /** ISO 8601 */ at: string | undefined }) {
  if (!at) return null;
  return (
    <p className="text-ink-2">
      You can try again at <Time dateTime={at} className="font-strong whitespace-nowrap text-ink" />.
    </p>
  );
}
