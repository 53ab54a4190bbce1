import { useEffect, useRef, type ReactNode } from "react";
import { Time } from "../ui/time.tsx";
import { AuthTitle } from "./auth-layout.tsx";

type DeadEndProps = { title: string; text: ReactNode; /** The ways on. */ children: ReactNode };

/** Why it does not go on here, and where it does. Takes the place of a form, and the focus with it. */
export function DeadEnd({ title, text, children }: DeadEndProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid gap-5">
      <AuthTitle ref={heading} title={title} text={text} />
      {children}
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
