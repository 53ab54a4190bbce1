import type { ComponentProps, ReactNode } from "react";

/** The classes of a text input, 42 px high. */
export const inputClass = (extra = ""): string => `input ${extra}`.trimEnd();

type FieldProps = {
  label: string;
  /** Shown at the end of the label's line, such as a link. The keyboard reaches it after the input. */
  aside?: ReactNode;
  hint?: string;
  /** Messages from the server or from the browser's own checks. Shown with the input and read out with it. */
  errors?: string[];
  /** The input's id. The ids of the hint and the errors derive from it. */
  id: string;
  /** Replaces the plain input. Receives the attributes that the replacement must carry. */
  children?: (control: FieldControl) => ReactNode;
};

type FieldControl = {
  id: string;
  className: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  autoFocus?: true;
};

/** A labelled input with its hint and errors. Passes input attributes through. */
export function Field({
  label,
  aside,
  hint,
  errors,
  id,
  children,
  ...input
}: FieldProps & Omit<ComponentProps<"input">, keyof FieldProps>) {
  const invalid = Boolean(errors?.length);
  const describedBy = [hint && `${id}-hint`, invalid && `${id}-error`].filter(Boolean).join(" ");
  const control: FieldControl = {
    id,
    className: inputClass(input.className),
    "aria-describedby": describedBy || undefined,
    "aria-invalid": invalid || undefined,
    // Without a script, the browser focuses the invalid field and scrolls it into view.
    ...(invalid && { autoFocus: true }),
  };

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children ? children(control) : <input {...input} {...control} />}
      {aside && <span className="field-aside">{aside}</span>}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} errors={errors} />
    </div>
  );
}

/** The errors of a field. Rendered even when empty, so that screen readers announce a message that appears in it. */
export function FieldErrors({ id, errors }: { id: string; errors: string[] | undefined }) {
  return (
    <p id={id} aria-live="polite" className="field-error">
      {errors?.length ? errors.join(" ") : null}
    </p>
  );
}
