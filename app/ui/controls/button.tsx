import type { ComponentProps } from "react";
import { Link } from "../link.tsx";

type ButtonVariant = "pulse" | "ink" | "quiet";
type ButtonSize = "sm" | "md" | "lg";

export type ButtonStyle = { variant?: ButtonVariant; size?: ButtonSize };

/** The classes of a button, for elements that are neither `Button` nor `ButtonLink`. */
export function buttonClass({ variant = "quiet", size = "md" }: ButtonStyle = {}, extra = ""): string {
  return `button button-${variant} button-${size} ${extra}`.trimEnd();
}

/** A button. `type` is "button" by default, so that only a button that says so submits its form. */
export function Button({
  variant,
  size,
  className,
  type = "button",
  ...props
}: ButtonStyle & ComponentProps<"button">) {
  return <button {...props} type={type} className={buttonClass({ variant, size }, className)} />;
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...props }: ButtonStyle & ComponentProps<typeof Link>) {
  return <Link {...props} className={buttonClass({ variant, size }, className)} />;
}
