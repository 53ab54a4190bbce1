import { Link } from "react-router";
import { brand } from "../../brand.ts";
import { Icon } from "./icon.tsx";

/** The mark and the name; where there is only room for the mark, the name is still heard. */
export function Logo({ to, nameClassName = "" }: { to: string; nameClassName?: string }) {
  return (
    <Link
      to={to}
      className="flex items-center gap-2.25 rounded-small text-brand leading-none font-bold tracking-[-0.02em] no-underline"
    >
      <Icon name="pulse" className="size-6 shrink-0 text-pulse" strokeWidth={2.4} />
      <span className={nameClassName}>{brand.name}</span>
    </Link>
  );
}
