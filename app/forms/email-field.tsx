import type { ComponentProps } from "react";
import { Field } from "../ui/controls/field.tsx";

/** An email address, by default the one that a member signs in with. */
export function EmailField(props: Omit<ComponentProps<typeof Field>, "label" | "children"> & { label?: string }) {
  return (
    <Field
      label="Email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      required
      maxLength={254}
      {...props}
    />
  );
}
