import { useEffect, useRef, type ComponentProps } from "react";
import { useActionData } from "react-router";
import { Time } from "../ui/time.tsx";

export type FormAlertProps = {
  errors: string | readonly string[] | null | undefined;
  /** When to try again, as ISO 8601. */
  retryAt?: string | undefined;
  /** Classes for its margins, which have no effect while it is empty. */
  className?: string;
};

/**
 * Says above a form why it was refused. Always rendered, so that screen readers announce what appears in it. Takes the
 * focus with every refusal, because on a small screen, or at the end of a long form, it would be out of sight.
 */
export function FormAlert({ errors, retryAt, className = "" }: FormAlertProps) {
  const alert = useRef<HTMLParagraphElement>(null);
  const answer: unknown = useActionData();
  const said = [errors].flat().join(" ");
  const isRefused = said !== "";
  useEffect(() => {
    if (answer && isRefused) alert.current?.focus();
  }, [answer, isRefused]);
  return (
    <p
      ref={alert}
      role="alert"
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the same without a script
      autoFocus={isRefused}
      className={`note note-bad ${className}`.trimEnd()}
    >
      {isRefused && (
        // One element, replaced as a whole: a browser that translates the page has put other nodes in place of its
        // texts.
        <span key={said + retryAt}>
          {said}
          {retryAt && (
            <>
              {" "}
              You can try again at <Time dateTime={retryAt} className="font-strong whitespace-nowrap" />.
            </>
          )}
        </span>
      )}
    </p>
  );
}

/** A notice that is not an error. */
export function FormNotice({ className = "", ...output }: ComponentProps<"output">) {
  return <output {...output} className={`note ${className}`.trimEnd()} />;
}
