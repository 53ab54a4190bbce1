import type { ComponentProps } from "react";
import { Icon } from "../icon.tsx";

type SelectProps = ComponentProps<"select"> & {
  /** Read out, not shown: the options speak for themselves in a filter. */
  label: string;
  options: { value: string; label: string }[];
};

/** A native select drawn as a chip. */
export function Select({ label, options, className = "", ...props }: SelectProps) {
  return (
    <span className={`select-box ${className}`.trimEnd()}>
      <select {...props} aria-label={label} className="select w-full appearance-none ps-2.5 pe-8">
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
