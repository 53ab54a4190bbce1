import type { ComponentProps } from "react";
import { Link } from "react-router";

export type ButtonVariant = "pulse" | "ink" | "quiet";
export type ButtonSize = "sm" | "md" | "lg";

const VARIANTS: Record<ButtonVariant, string> = {
  pulse: "border-transparent bg-pulse-fill text-on-pulse hover:bg-pulse-fill-hover",
  ink: "forced-color-adjust-none border-transparent bg-ink text-on-ink hover:bg-ink/88",
  quiet: "border-line-strong bg-surface text-ink hover:bg-sunken",
};

const SIZES: Record<ButtonSize, string> = {
  sm: "h-7.5 px-3 text-small",
  md: "h-8.5 px-3.25 text-small",
  lg: "h-11 w-full px-4 text-heading",
};

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-strong leading-none whitespace-nowrap no-underline transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 forced-colors:border-[ButtonBorder]";

export type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize };

/** The classes of a button, for elements that are neither `Button` nor `ButtonLink`. */
export function buttonClass({ variant = "quiet", size = "md" }: ButtonLook = {}, extra = ""): string {
  return `${BASE} ${VARIANTS[variant]} ${SIZES[size]} ${extra}`;
}

/** A button. `type` is "button" unless given, so that a form is only sent by what says so. */
export function Button({ variant, size, className, type = "button", ...props }: ButtonLook & ComponentProps<"button">) {
  return <button {...props} type={type} className={buttonClass({ variant, size }, className)} />;
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...props }: ButtonLook & ComponentProps<typeof Link>) {
  return <Link {...props} className={buttonClass({ variant, size }, className)} />;
}
