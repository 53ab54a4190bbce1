import { useEffect, useRef, type ReactNode } from "react";
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
