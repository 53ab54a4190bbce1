import type { ReactNode } from "react";
import { Link } from "../ui/link.tsx";

/** A quiet link at the end of a page. */
export function FootLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="foot-link">
      {children}
    </Link>
  );
}
