import type { ComponentProps, ReactNode } from "react";
import { FieldErrors } from "./field.tsx";

type CheckboxFieldProps = Omit<ComponentProps<"input">, "children"> & {
  /** The input's id. The id of its errors derives from it. */
  id: string;
  label: ReactNode;
  errors?: string[] | undefined;
};

/** A box that must be ticked to continue. */
export function CheckboxField({ id, label, errors, ...input }: CheckboxFieldProps) {
  return (
    <div>
      <label htmlFor={id} className="flex items-start gap-2.5">
        <input
          {...input}
          id={id}
          type="checkbox"
          required
          aria-describedby={`${id}-error`}
          aria-invalid={errors ? true : undefined}
          // Takes the focus, as in field.tsx.
          {...(errors && { autoFocus: true })}
          className="mt-0.5"
        />
        {label}
      </label>
      <FieldErrors id={`${id}-error`} errors={errors} />
    </div>
  );
}
