import type { ReactNode } from "react";
import { Link } from "../ui/link.tsx";

/** A quiet way on at the end of a page. */
export function FootLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-6 items-center text-hint text-ink-2 no-underline hover:text-ink hover:underline"
    >
      {children}
    </Link>
  );
}
