import { useEffect, useRef, type ReactNode } from "react";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Time } from "../ui/time.tsx";
import { AuthTitle } from "./auth-layout.tsx";

type Way = { to: string; words: string; /** A way on that begins anew. */ reloads?: boolean };

type DeadEndProps = {
  title: string;
  text: ReactNode;
  /** The ways on. */
  ways: Way[];
  /** Whether none of them is what most want. */
  quiet?: boolean;
  /** What else can be done; it comes before them. */
  children?: ReactNode;
};

/** Why it does not go on here, and where it does. Takes the place of a form, and the focus with it. */
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

/** When it makes sense to try again, where the server says so. */
export function RetryTime({ at }: { /** ISO 8601 */ at: string | undefined }) {
  if (!at) return null;
  return (
    <p className="text-ink-2">
      You can try again at <Time dateTime={at} className="font-strong whitespace-nowrap text-ink" />.
    </p>
  );
}
