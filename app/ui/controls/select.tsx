import type { ComponentProps } from "react";
import { Icon } from "../icon.tsx";

type SelectProps = ComponentProps<"select"> & {
  /**
   * Read out, but not shown: in a filter the options speak for themselves. Leave it out if another element labels it.
   */
  label?: string;
  /** Its classes, if it should not look like a chip. */
  selectClass?: string;
  options: { value: string; label: string }[];
};

/** A native select that looks the same in every browser. */
export function Select({ label, selectClass = "select ps-2.5", options, className = "", ...props }: SelectProps) {
  return (
    <span className={`select-box ${className}`.trimEnd()}>
      <select {...props} aria-label={label} className={`${selectClass} w-full appearance-none pe-8`}>
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
