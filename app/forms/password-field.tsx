import type { SubmissionResult } from "@conform-to/dom";
import { useEffect, useRef, useState, type ComponentProps } from "react";
import { Field } from "../ui/controls/field.tsx";
import { Icon } from "../ui/icon.tsx";

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, "children" | "type" | "ref"> & {
  autoComplete: "current-password" | "new-password";
  /** The server's reply, if the field is to be emptied after a refusal. */
  lastResult?: SubmissionResult | null | undefined;
};

/** A password, hidden unless the reader asks to see it. The server never sends back what was typed. */
export function PasswordField({ lastResult, ...props }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (lastResult?.status === "error" && field.current) field.current.value = "";
  }, [lastResult]);
  const { label, aside, hint, errors, id, ...input } = props;

  return (
    <Field label={label} aside={aside} hint={hint} errors={errors} id={id}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            ref={field}
            type={shown ? "text" : "password"}
            required
            spellCheck={false}
            autoCapitalize="none"
            className={`${control.className} pe-11 noscript:pe-3`}
          />
          <button
            type="button"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="reveal noscript:hidden"
          >
            <Icon name={shown ? "eyeOff" : "eye"} className="size-4" />
            {/* No `aria-label`: a search for the field by its label would find both. */}
            <span className="sr-only">{`Show ${label.toLowerCase()}`}</span>
          </button>
        </div>
      )}
    </Field>
  );
}

/** Tells password managers which account a form's password belongs to. Not visible. */
export function PasswordOwner({ email }: { email: string }) {
  return (
    <input
      type="text"
      autoComplete="username"
      defaultValue={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
      className="hidden"
    />
  );
}
