import type { ComponentProps } from "react";
import { Field } from "../ui/controls/field.tsx";
import { SIX_DIGITS } from "./field-rules.ts";

/** The code from an email. */
export function CodeField(props: Omit<ComponentProps<typeof Field>, "label" | "children">) {
  return (
    <Field
      label="Code"
      className="num text-brand tracking-[0.2em]"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern={SIX_DIGITS}
      required
      {...props}
    />
  );
}
