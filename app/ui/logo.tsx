import { brand } from "../../brand.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

/** The mark and the name; where there is only room for the mark, the name is still heard. */
export function Logo({ to, nameClassName = "" }: { to: string; nameClassName?: string }) {
  return (
    <Link to={to} className="logo">
      <Icon name="pulse" />
      <span className={nameClassName}>{brand.name}</span>
    </Link>
  );
}
