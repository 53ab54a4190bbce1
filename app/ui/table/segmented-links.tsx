import { Link } from "react-router";

type SegmentedLinksProps = {
  label: string;
  segments: { label: string; href: string; current: boolean }[];
};

/** A choice among a few views of the same thing, each with an address of its own. */
export function SegmentedLinks({ label, segments }: SegmentedLinksProps) {
  return (
    <nav aria-label={label} className="inline-flex gap-0.5 rounded-control border border-line bg-sunken p-0.5">
      {segments.map(({ label: text, href, current }) => (
        <Link
          key={text}
          to={href}
          preventScrollReset
          prefetch="intent"
          aria-current={current ? "true" : undefined}
          className="inline-flex h-7 items-center rounded-small px-2.5 text-hint text-ink-2 no-underline hover:text-ink aria-[current]:bg-surface aria-[current]:font-strong aria-[current]:text-ink aria-[current]:inset-ring aria-[current]:inset-ring-line forced-colors:aria-[current]:outline"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
