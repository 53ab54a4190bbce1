import type { ReactNode } from "react";
import { Button, ButtonLink } from "../controls/button.tsx";
import { useLostFocus } from "../lost-focus.ts";
import { formatNumber } from "../number/number.ts";
import { derivePagination } from "./pagination.ts";

type PagerProps = {
  /** What is paged, for the landmark's name: "Pages of the points log". */
  label: string;
  page: number;
  pageSize: number;
  total: number;
  /** Returns the address of a page, filters included. */
  hrefFor: (page: number) => string;
  /** Shown between the count and the links. */
  children?: ReactNode;
};

/** `1–10 of 1.874` with links to the neighbouring pages. */
export function Pager({ label, page, pageSize, total, hrefFor, children }: PagerProps) {
  const { hasNextPage, hasPreviousPage } = derivePagination(page, pageSize, total);
  const first = Math.min((page - 1) * pageSize + 1, total);
  const last = Math.min(page * pageSize, total);

  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center gap-2 border-t border-line px-4.5 py-3 text-small text-ink-2"
    >
      <span className="num">{`${formatNumber(first)}–${formatNumber(last)} of ${formatNumber(total)}`}</span>
      <span className="ms-2 me-auto flex flex-wrap items-center gap-x-4">{children}</span>
      <Step label="Previous" rel="prev" href={hasPreviousPage ? hrefFor(page - 1) : undefined} />
      <Step label="Next" rel="next" href={hasNextPage ? hrefFor(page + 1) : undefined} />
    </nav>
  );
}

/**
 * A link to the previous or next page. On the first or last page, one of the two goes and the other takes its focus.
 */
function Step({ label, rel, href }: { label: string; rel: "prev" | "next"; href: string | undefined }) {
  const link = useLostFocus<HTMLAnchorElement>(href);
  if (href === undefined)
    return (
      <Button variant="quiet" disabled>
        {label}
      </Button>
    );
  return (
    <ButtonLink ref={link} to={href} rel={rel} variant="quiet" preventScrollReset>
      {label}
    </ButtonLink>
  );
}
