import type { ComponentProps, ReactNode } from "react";
import { FieldErrors } from "./field.tsx";

type CheckboxFieldProps = Omit<ComponentProps<"input">, "children"> & {
  /** The input's id; its errors derive theirs from it. */
  id: string;
  label: ReactNode;
  errors?: string[] | undefined;
};

/** A box that has to be ticked to go on. */
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
          // As a field does (field.tsx).
          {...(errors && { autoFocus: true })}
          className="mt-0.5"
        />
        {label}
      </label>
      <FieldErrors id={`${id}-error`} errors={errors} />
    </div>
  );
}
