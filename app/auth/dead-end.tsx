import { useEffect, useRef, type ReactNode } from "react";
import { brand } from "../brand.ts";
import { Time } from "../ui/time.tsx";
import { AuthTitle } from "./auth-layout.tsx";

type DeadEndProps = { title: string; text: ReactNode; /** The ways on. */ children: ReactNode };

/** Why it does not go on here, and where it does. Takes the place of a form, and the focus with it. */
export function DeadEnd({ title, text, children }: DeadEndProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => nameDocument(title), [title]);
  return (
    <div className="grid gap-5">
      <AuthTitle ref={heading} title={title} text={text} />
      {children}
    </div>
  );
}

/** The page's own title is that of the form whose place was taken. Returns the way back to it. */
function nameDocument(title: string) {
  const before = document.title;
  document.title = `${title} · ${brand.name}`;
  return () => {
    document.title = before;
  };
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
