import { useEffect, useRef, type ComponentProps } from "react";
import { useActionData } from "react-router";
import { Time } from "../ui/time.tsx";

export type FormAlertProps = {
  errors: string | readonly string[] | null | undefined;
  /** When to try again, as ISO 8601. */
  retryAt?: string | undefined;
  /** Its distance to what is around it, which there is none of while it is empty. */
  className?: string;
};

/**
 * Why a form was refused, above it. Always there, so that what appears in it is read out; and focused with every
 * refusal, because on a small screen, or at the end of a long form, it would be out of sight.
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
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the same where there is no script
      autoFocus={isRefused}
      className={`note note-bad ${className}`.trimEnd()}
    >
      {isRefused && (
        // One element, which goes as a whole: a browser that translates has put others in the place of its texts.
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

/** Something to know that is no mistake. */
export function FormNotice({ className = "", ...output }: ComponentProps<"output">) {
  return <output {...output} className={`note ${className}`.trimEnd()} />;
}
