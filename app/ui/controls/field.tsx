import type { ComponentProps, ReactNode } from "react";

/** The classes of a text input, 42 px high. */
export const inputClass = (extra = ""): string => `input ${extra}`.trimEnd();

type FieldProps = {
  label: string;
  /** Stands at the end of the label's line, such as a link. The keyboard comes to it after the input. */
  aside?: ReactNode;
  hint?: string;
  /** Messages of the server or of the browser's own checks; shown beside the input and read out with it. */
  errors?: string[];
  /** The input's id; hint and errors derive theirs from it. */
  id: string;
  /** Replaces the plain input, given the attributes it must carry. */
  children?: (control: FieldControl) => ReactNode;
};

type FieldControl = {
  id: string;
  className: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  autoFocus?: true;
};

/** A labelled input with its hint and its errors. Input attributes pass through. */
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
    // Where no script moves the focus to what is wrong, the browser does, and brings it into sight.
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

/** The region is always there, so that a message that appears in it is read out. */
export function FieldErrors({ id, errors }: { id: string; errors: string[] | undefined }) {
  return (
    <p id={id} aria-live="polite" className="field-error">
      {errors?.length ? errors.join(" ") : null}
    </p>
  );
}
