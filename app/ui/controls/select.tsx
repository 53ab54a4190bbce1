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
    <span className={`relative inline-flex ${className}`}>
      <select
        {...props}
        aria-label={label}
        className="h-8.5 w-full appearance-none rounded-control border border-line-field bg-surface ps-2.5 pe-8 text-small text-ink hover:bg-sunken"
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="down" className="pointer-events-none absolute end-2.5 top-1/2 size-3.5 -translate-y-1/2 text-ink-3" />
    </span>
  );
}
