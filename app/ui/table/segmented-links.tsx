import { Link } from "../link.tsx";

type SegmentedLinksProps = {
  label: string;
  segments: { label: string; href: string; current: boolean }[];
};

/** A choice among a few views of the same thing, each with its own address. */
export function SegmentedLinks({ label, segments }: SegmentedLinksProps) {
  return (
    <nav aria-label={label} className="segments">
      {segments.map(({ label: text, href, current }) => (
        <Link key={text} to={href} preventScrollReset aria-current={current ? "true" : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
