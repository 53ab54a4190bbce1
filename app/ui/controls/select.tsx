import type { ComponentProps } from "react";
import { Icon } from "../icon.tsx";

type SelectProps = ComponentProps<"select"> & {
  /** Read out, not shown: the options speak for themselves in a filter. Without one it is labelled from outside. */
  label?: string;
  /** Its looks, where it is not a chip. */
  look?: string;
  options: { value: string; label: string }[];
};

/** A native select, drawn alike in every browser. */
export function Select({ label, look = "select ps-2.5", options, className = "", ...props }: SelectProps) {
  return (
    <span className={`select-box ${className}`.trimEnd()}>
      <select {...props} aria-label={label} className={`${look} w-full appearance-none pe-8`}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}
