import { brand } from "../../brand.ts";
import { Link } from "../ui/link.tsx";

/** The way to the Terms of Service and the Privacy Policy. */
export function LegalLinks() {
  return (
    <nav aria-label="Legal" className="flex flex-wrap gap-x-4.5 text-hint text-ink-2">
      {Object.entries(brand.legal).map(([name, href]) => (
        <Link
          key={href}
          to={href}
          className="inline-flex min-h-6 items-center no-underline hover:text-ink hover:underline"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
