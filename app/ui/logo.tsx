import { brand } from "../../brand.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

type LogoProps = { to: string; rel?: string; nameClassName?: string };

/** The mark and the name. Where only the mark fits, screen readers still read the name. */
export function Logo({ to, rel, nameClassName }: LogoProps) {
  return (
    <Link to={to} rel={rel} className="logo">
      <Icon name="pulse" />
      <span className={nameClassName}>{brand.name}</span>
    </Link>
  );
}
