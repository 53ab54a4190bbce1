import type { ReactNode } from "react";
import { Time } from "../ui/time.tsx";

type FormAlertProps = { errors: ReactNode; /** When to try again, as ISO 8601. */ retryAt?: string | undefined };

/** Why a form was refused, above it. Always there, so that what appears in it is read out. */
export function FormAlert({ errors, retryAt }: FormAlertProps) {
  return (
    <p role="alert" className="rounded-control bg-pulse-soft px-3 py-2.5 text-small text-bad empty:hidden">
      {errors}
      {errors && retryAt && (
        <>
          {" "}
          You can try again at <Time dateTime={retryAt} className="font-strong whitespace-nowrap" />.
        </>
      )}
    </p>
  );
}

/** Something to know that is no mistake. */
export function FormNotice({ children }: { children?: ReactNode }) {
  return (
    <output className="block rounded-control bg-sunken px-3 py-2.5 text-small text-ink-2 empty:hidden">
      {children}
    </output>
  );
}

/** The quiet line below a form that leads elsewhere. */
export function FormFooter({ children }: { children: ReactNode }) {
  return <p className="text-center text-cell text-ink-2">{children}</p>;
}

/** The classes of a link in such a line. */
export const FOOTER_LINK = "font-strong text-ink underline-offset-2 hover:underline";
